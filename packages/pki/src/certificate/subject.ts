/** Whom a certificate names. Kubernetes reads CN as the user and O as its groups. */
export type Subject = {
  readonly commonName: string;
  readonly organizations?: readonly string[];
};

/** Subject alternative names. */
export type AlternativeNames = {
  readonly dnsNames?: readonly string[];
  /** IPv4 or IPv6 literals. */
  readonly ipAddresses?: readonly string[];
};

type NameAttributes = { [attribute: string]: string[] }[];

/** The distinguished name in Go's order: O before CN, one RDN per attribute type. */
export function nameAttributes(subject: Subject): NameAttributes {
  const organizations = (subject.organizations ?? []).map((each) => ({ O: [each] }));
  return [...organizations, { CN: [subject.commonName] }];
}

type GeneralNameJson = { type: 'dns' | 'ip'; value: string };

/** Alternative names in the X.509 library's form; empty when there are none. */
export function generalNames(names: AlternativeNames): GeneralNameJson[] {
  return [
    ...(names.dnsNames ?? []).map((value) => ({ type: 'dns' as const, value })),
    ...(names.ipAddresses ?? []).map((value) => ({ type: 'ip' as const, value })),
  ];
}
