import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret, UserError } from '@slipway/base';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { singleUserKubeconfig } from './kubeconfig.ts';
import { parseKubeconfig } from './parse-kubeconfig.ts';
import { renderKubeconfig } from './render-kubeconfig.ts';
import { parseYamlSubset } from './yaml-subset.ts';

const text = fc.oneof(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme', minLength: 1 }));

test('what is rendered is read back, by this reader and by a full one', () => {
  fc.assert(
    fc.property(text, text, text, text, (cluster, user, token, namespace) => {
      const kubeconfig = singleUserKubeconfig(
        { name: cluster, server: 'https://h:6443', certificateAuthority: { pem: cluster } },
        { name: user, token: { secret: new Secret(token) }, clientKey: { path: '/k' } },
        namespace,
      );
      const rendered = renderKubeconfig(kubeconfig);
      assert.deepEqual(parseKubeconfig(rendered), kubeconfig);
      const parsed = parse(rendered);
      assert.equal(parsed.users[0].name, user);
      assert.equal(parsed.users[0].user.token, token);
      assert.equal(parsed.contexts[0].context.namespace, namespace);
    }),
  );
});

test('whatever a YAML writer writes is read as it was meant, or refused', () => {
  const leaf = fc.oneof(fc.string(), fc.boolean(), fc.constant(null));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie('tree'), { maxKeys: 3 }),
    ),
  }));
  let read = 0;
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), tree, { minKeys: 1, noNullPrototype: true }),
      (value) => {
        const meant = JSON.parse(JSON.stringify(value));
        let got: unknown;
        try {
          got = parseYamlSubset(stringify(meant, { lineWidth: 0 }), 'text');
        } catch (error) {
          assert.ok(error instanceof UserError);
          return;
        }
        read += 1;
        assert.deepEqual(got, meant);
      },
    ),
  );
  assert.ok(read > 20, 'most documents are refused: the property says little');
});
