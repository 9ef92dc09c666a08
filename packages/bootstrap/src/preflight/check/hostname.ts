import { type Check, type Finding, warning } from '../check.ts';

/** The name of the Node: well-formed, and to be resolved. */
export function hostname(nodeName: string): Check {
  return {
    name: 'Hostname',
    run: async ({ ground }) => {
      const findings: Finding[] = [];
      if (!isQualifiedName(nodeName)) {
        findings.push(
          warning(
            `${JSON.stringify(nodeName)} is no name for a Node: letters, digits, '-', '_' and '.', 63 at most`,
            'set another with hostnamectl set-hostname, or nodeRegistration.name (--node-name)',
          ),
        );
      }
      if ((await ground.machine.resolve(nodeName)).length === 0) {
        findings.push(
          warning(
            `the name ${JSON.stringify(nodeName)} does not resolve to an address`,
            `add it to DNS or to /etc/hosts: <address of this node> ${nodeName}`,
          ),
        );
      }
      return findings;
    },
  };
}

/** Rule: IsQualifiedName of k8s.io/apimachinery, whose optional prefix is a DNS name. */
function isQualifiedName(text: string): boolean {
  const [name = '', prefix, ...rest] = text.split('/').reverse();
  if (rest.length > 0) return false;
  const isName = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/.test(name);
  const label = '[a-z0-9](?:[a-z0-9-]*[a-z0-9])?';
  return isName && (prefix === undefined || new RegExp(`^${label}(?:\\.${label})*$`).test(prefix));
}
