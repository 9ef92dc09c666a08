import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { RunningServer } from './testing/running-server.ts';

function missing(): string | false {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'kubectl is not on the PATH';
  }
}

type Outcome = { readonly code: number; readonly out: string };

const manifest = `
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {node-role.kubernetes.io/worker: ""}}
---
apiVersion: v1
kind: Pod
metadata: {name: p1, labels: {app: web}}
spec:
  nodeName: n1
  terminationGracePeriodSeconds: 0
  containers: [{name: c, image: "web:1", ports: [{containerPort: 80}]}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {a: "1", b: "2"}
`;

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.ex.io}
spec:
  group: ex.io
  scope: Namespaced
  names: {plural: widgets, kind: Widget, shortNames: [wd]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    additionalPrinterColumns:
    - {name: Size, type: integer, jsonPath: .spec.size}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties: {size: {type: integer, minimum: 1, description: how big it is}}
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
`;

const widget = (size: unknown) => `
apiVersion: ex.io/v1
kind: Widget
metadata: {name: w1}
spec: {size: ${size}}
`;

describe('kubectl', { skip: missing() }, () => {
  let server: RunningServer;
  let home: string;
  before(async () => {
    server = await RunningServer.start();
    home = join(server.folder, 'home');
    mkdirSync(home);
    writeFileSync(join(home, 'config'), server.kubeconfig());
  });
  after(() => server[Symbol.asyncDispose]());

  function kubectl(args: string, input = '', editor = 'true'): Promise<Outcome> {
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      KUBECONFIG: join(home, 'config'),
      EDITOR: editor,
    };
    return new Promise((resolve) => {
      const child = execFile('kubectl', args.split(' '), { env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), out: `${stdout}${stderr}` }),
      );
      child.stdin?.end(input);
    });
  }

  async function expects(
    args: string,
    want: RegExp,
    options: { input?: string; code?: number; editor?: string } = {},
  ) {
    const { code, out } = await kubectl(args, options.input, options.editor);
    assert.match(out, want);
    assert.equal(code, options.code ?? 0, out);
  }

  test('applies, diffs and applies again', async () => {
    await expects('apply -f -', /configmap\/settings created/, { input: manifest });
    await expects('apply -f -', /configmap\/settings unchanged/, { input: manifest });
    const changed = manifest.replace('a: "1"', 'a: "9"').replace(', b: "2"', '');
    await expects('diff -f -', /-\s+b: "2"/, { input: changed, code: 1 });
    await expects('apply -f -', /configmap\/settings configured/, { input: changed });
    await expects('get cm settings -o jsonpath={.data}', /^\{"a":"9"\}$/);
  });

  test('says which kinds are not served', async () => {
    const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: s}\n';
    await expects('apply -f -', /no matches for kind "Service" in version "v1"/, {
      input: service,
      code: 1,
    });
  });

  test('shows nodes and pods as upstream does', async () => {
    await expects('get nodes', /^NAME +STATUS +ROLES +AGE +VERSION\s+n1 +Unknown +worker/);
    await expects(
      'get pods -o wide',
      /^NAME +READY +STATUS +RESTARTS +AGE +IP +NODE .*\s+p1 +0\/1 +Pending +0 /,
    );
    await expects('describe node n1', /Non-terminated Pods: +\(1 in total\)/);
    await expects('get node n1 -o custom-columns=N:.metadata.name', /^N\s+n1\s+$/);
    await expects('api-resources', /configmaps +cm +v1 +true +ConfigMap/);
  });

  test('labels, annotates, cordons, taints', async () => {
    await expects('label node n1 zone=a', /labeled/);
    await expects('annotate node n1 ex.io/note=b', /annotated/);
    await expects('cordon n1', /cordoned/);
    await expects('get nodes -l zone=a', /Unknown,SchedulingDisabled/);
    await expects('uncordon n1', /uncordoned/);
    await expects('taint node n1 k=v:NoSchedule', /tainted/);
  });

  test('edits', async () => {
    await expects('edit cm settings', /configmap\/settings edited/, {
      editor: `sed -i 's/a: "9"/a: "10"/'`,
    });
    await expects('get cm settings -o jsonpath={.data.a}', /^10$/);
  });

  test('sends protobuf for what it creates itself', async () => {
    await expects('create ns team', /created/);
    await expects(
      'create deploy web --image=web:1 --replicas=0 -n team',
      /runs no workloads[\s\S]*created/,
    );
    await expects('get deploy web -n team -o jsonpath={.spec.replicas}', /^0$/);
    await expects('create secret generic s --from-literal=a=b -n team', /created/);
    await expects('create role r --verb=get --resource=pods -n team', /created/);
    await expects('create rolebinding r --role=r --user=bob -n team', /created/);
    await expects('auth can-i get pods -n team --as bob', /^yes/);
    await expects('auth can-i list secrets -n team --as bob', /^no/, { code: 1 });
    await expects('auth whoami', /Username +admin/);
  });

  test('drains, and respects a disruption budget', async () => {
    const running =
      '{"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}';
    await expects(`patch pod p1 --subresource=status --type=merge -p ${running}`, /patched/);
    await expects('create pdb web --selector=app=web --min-available=1', /created/);
    await expects(
      'wait pdb/web --for=jsonpath={.status.currentHealthy}=1 --timeout=5s',
      /condition met/,
    );
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p1' } };
    const path = '/api/v1/namespaces/default/pods/p1/eviction';
    const refused = await server.client().call('POST', path, eviction);
    assert.equal(refused.code, 429);
    assert.equal(
      refused.json.message,
      "Cannot evict pod as it would violate the pod's disruption budget.",
    );
    assert.deepEqual(refused.json.details.causes, [
      {
        reason: 'DisruptionBudget',
        message: 'The disruption budget web needs 1 healthy pods and has 1 currently',
      },
    ]);
    await expects('delete pdb web', /deleted/);
    await expects('drain n1 --force --timeout=5s', /pod\/p1 evicted/);
  });

  test('serves custom resources', async () => {
    await expects('apply -f -', /created/, { input: definition });
    await expects(
      'wait crd/widgets.ex.io --for=condition=Established --timeout=5s',
      /condition met/,
    );
    await expects('apply -f -', /widget.ex.io\/w1 created/, { input: widget(3) });
    await expects('get wd', /^NAME +SIZE\s+w1 +3/);
    await expects('explain widget.spec.size', /how big it is/);
    await expects('diff -f -', /\+\s+size: 4/, { input: widget(4), code: 1 });
    await expects('apply -f -', /configured/, { input: widget(4) });
    await expects(
      'apply -f -',
      /spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1/,
      {
        input: widget(0),
        code: 1,
      },
    );
    await expects('delete wd w1', /deleted/);
  });

  test('waits for a namespace to be empty and gone', async () => {
    await expects('delete ns team --timeout=10s', /deleted/);
    await expects('get ns team', /namespaces "team" not found/, { code: 1 });
  });
});
