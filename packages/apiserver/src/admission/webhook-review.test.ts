import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReview, webhookDenial } from './webhook-review.ts';

const answers: readonly { name: string; status: unknown; code: number; message: string }[] = [
  { name: 'nothing', status: undefined, code: 400, message: ' without explanation' },
  {
    name: 'a reason',
    status: { reason: 'Forbidden', code: 403 },
    code: 403,
    message: ': Forbidden',
  },
  { name: 'success', status: { code: 200, message: 'no' }, code: 400, message: ': no' },
  { name: 'no code of HTTP', status: { code: 99_999, message: 'no' }, code: 400, message: ': no' },
  {
    name: 'text for a code',
    status: { code: 'abc', message: {} },
    code: 400,
    message: ' without explanation',
  },
  {
    name: 'details that would be headers',
    status: { code: 429, message: 'wait', details: { retryAfterSeconds: 'x\r\ny: z' } },
    code: 429,
    message: ': wait',
  },
];

for (const { name, status, code, message } of answers) {
  test(`a webhook that refuses with ${name}`, () => {
    const body = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };
    const response = { uid: 'u', allowed: false, status };
    const review = readReview(JSON.stringify({ ...body, response }), 'u');
    const denial = webhookDenial('a.ex.io', review.status).status;
    assert.equal(denial.code, code);
    assert.equal(denial.message, `admission webhook "a.ex.io" denied the request${message}`);
    assert.equal(denial.details, undefined);
  });
}
