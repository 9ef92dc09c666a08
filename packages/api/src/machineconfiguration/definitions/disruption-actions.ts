import type { JsonSchema } from '../../kubernetes/types.ts';
import { atomicList, keyedList, object, rules, text } from './schema.ts';

const unitSuffixes = [
  'service',
  'socket',
  'device',
  'mount',
  'automount',
  'swap',
  'target',
  'path',
  'timer',
  'snapshot',
  'slice',
  'scope',
];

/** A systemd unit's name; `@` is accepted for instances of templates. */
export function unitName(description: string): JsonSchema {
  return text(description, {
    maxLength: 255,
    ...rules(
      {
        rule: `self.matches('\\\\.(${unitSuffixes.join('|')})$')`,
        message: `must end in one of ${unitSuffixes.map((suffix) => `.${suffix}`).join(', ')}`,
      },
      {
        rule: "self.matches('^[a-zA-Z0-9:._@\\\\\\\\-]+\\\\..')",
        message:
          'must begin with a name of letters, digits and the characters ":", "-", "_", ".", "@" and "\\", then the suffix',
      },
    ),
  });
}

function serviceOf(verb: string): JsonSchema {
  const serviceName = unitName(`Full name of the unit to ${verb}, such as chronyd.service.`);
  return object(`Which unit to ${verb}.`, { serviceName }, { required: ['serviceName'] });
}

function onlyWith(field: string, type: string) {
  return {
    rule: `has(self.type) && self.type == '${type}' ? has(self.${field}) : !has(self.${field})`,
    message: `${field} goes with type ${type}, and only with it`,
  };
}

function standsAlone(type: string) {
  return {
    rule: `self.exists(x, x.type=='${type}') ? size(self) == 1 : true`,
    message: `action ${type} must be the only one`,
  };
}

const actionTypes = ['Reboot', 'Drain', 'Reload', 'Restart', 'DaemonReload', 'None'];

/** Actions of a policy. In a status, where older writers put it, type Special is accepted as well. */
export function actionList(place: 'spec' | 'status'): JsonSchema {
  const action = object(
    'One thing to do.',
    {
      type: text('What to do. Reboot and None stand alone; Reload and Restart name a unit.', {
        enum: place === 'spec' ? actionTypes : [...actionTypes, 'Special'],
      }),
      reload: serviceOf('reload'),
      restart: serviceOf('restart'),
    },
    { required: ['type'], ...rules(onlyWith('reload', 'Reload'), onlyWith('restart', 'Restart')) },
  );
  return atomicList('What to do when the configuration changes here.', action, {
    maxItems: 10,
    ...rules(standsAlone('Reboot'), standsAlone('None')),
  });
}

/** Policies for files, units and SSH keys. */
export function policies(place: 'spec' | 'status'): JsonSchema {
  const actions = actionList(place);
  const maxItems = place === 'spec' ? 50 : 100;
  const file = object(
    'Policy for a file, or for all files below a directory.',
    { path: text('Absolute path of the file or directory.'), actions },
    { required: ['actions', 'path'] },
  );
  const unit = object(
    'Policy for a systemd unit.',
    { name: unitName('Full name of the unit.'), actions },
    { required: ['actions', 'name'] },
  );
  return object('What changes of the configuration disrupt.', {
    files: keyedList('Policies for files and directories.', 'path', file, { maxItems }),
    units: keyedList('Policies for systemd units.', 'name', unit, { maxItems }),
    sshkey: object('Policy for SSH keys.', { actions }, { required: ['actions'] }),
  });
}
