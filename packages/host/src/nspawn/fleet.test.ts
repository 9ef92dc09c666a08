import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fleetOf, machineAddress, machineDirectory, machineId } from './fleet.ts';
import { imagePathIn } from './image.ts';

suite('fleet', () => {
  const fleet = fleetOf('/var/lib/one', '/image');

  test('names fit into what the kernel and systemd-nspawn allow', () => {
    assert.ok(machineId(fleet, 99).length <= 12);
    assert.ok(`vb-${machineId(fleet, 99)}`.length <= 15);
    assert.ok(fleet.bridge.length <= 15);
  });

  test('a folder always has the same names, another folder others', () => {
    assert.deepEqual(fleetOf('/var/lib/one', '/image'), fleet);
    const other = fleetOf('/var/lib/two', '/image');
    assert.notEqual(other.prefix, fleet.prefix);
    assert.notEqual(other.bridge, fleet.bridge);
  });

  test('addresses lie in the private range, the computer’s own first', () => {
    assert.match(fleet.hostAddress, /^10\.231\.\d+\.1$/);
    assert.equal(machineAddress(fleet, 1), `${fleet.subnet}.11`);
    assert.equal(machineDirectory(fleet, 2), '/var/lib/one/m2');
  });

  test('the image is named after its recipe', () => {
    assert.match(imagePathIn('/cache'), /^\/cache\/bookworm-[0-9a-f]{12}$/);
  });
});
