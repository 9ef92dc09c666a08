import { type Der, derSequence, derSet, derUtf8, oid } from '../der.ts';

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

/** The distinguished name in Go's order: O before CN, one RDN per attribute. */
export function derName({ commonName, organizations = [] }: Subject): Der {
  const attributes = [
    ...organizations.map((name) => derSequence(oid.organization, derUtf8(name))),
    derSequence(oid.commonName, derUtf8(commonName)),
  ];
  return derSequence(...attributes.map((attribute) => derSet(attribute)));
}
