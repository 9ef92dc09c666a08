import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { type Phase, phaseName } from './phase.ts';
import { allPhases, planPhases } from './plan.ts';

/** Trees of at most two levels, as the workflows have; names are unique among siblings. */
const trees: fc.Arbitrary<readonly Phase<undefined>[]> = siblings(
  fc.record({ children: siblings(fc.constant({ children: [] })) }),
);

function siblings(
  inner: fc.Arbitrary<{ readonly children: readonly Phase<undefined>[] }>,
): fc.Arbitrary<readonly Phase<undefined>[]> {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 6 });
  return names.chain((chosen) =>
    fc.tuple(...chosen.map(() => inner)).map((below) =>
      chosen.map((name, index) => {
        const phases = below[index]?.children ?? [];
        return { name, description: name, ...(phases.length === 0 ? {} : { phases }) };
      }),
    ),
  );
}

function planned(phases: readonly Phase<undefined>[], selection = {}): readonly string[] {
  const plan = planPhases(phases, selection);
  assert.equal(plan.kind, 'plan');
  return plan.kind === 'plan' ? plan.phases.map(({ path }) => phaseName(path)) : [];
}

suite('planPhases', () => {
  test('without a selection every phase is reached exactly once, in the order of the tree', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const names = planned(tree);
        assert.equal(new Set(names).size, names.length);
        assert.deepEqual(
          names,
          allPhases(tree).map(({ path }) => phaseName(path)),
        );
      }),
    );
  });

  test('what is skipped is gone with all below it; the rest keeps its order', () => {
    fc.assert(
      fc.property(trees, fc.infiniteStream(fc.boolean()), (tree, choices) => {
        const every = planned(tree);
        const skip = every.filter(() => choices.next().value === true);
        const want = every.filter(
          (name) => !skip.some((gone) => name === gone || name.startsWith(`${gone}/`)),
        );
        assert.deepEqual(planned(tree, { skip }), want);
      }),
    );
  });

  test('each phase alone, one run after the other, does what one run does', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const alone = tree.flatMap((phase) => planned(tree, { only: [phase.name] }));
        assert.deepEqual(alone, planned(tree));
      }),
    );
  });
});
