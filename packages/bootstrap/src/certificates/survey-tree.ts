import {
  type AuthorityName,
  type CertificateAndKey,
  type CertificateAuthority,
  type CertificateSpec,
  createCertificateAuthority,
  issueCertificate,
  loadCertificateAndKey,
} from '@slipway/pki';
import type { EnsureCertificatesOptions } from './ensure-certificates.ts';
import {
  type Judgement,
  judgeAuthority,
  judgeLeaf,
  type Refusal,
  type Signer,
} from './judge-pair.ts';
import { KeyStock } from './key-stock.ts';
import { authorityValidity, leafValidity, nameOrigin, wantedCertificates } from './pki-settings.ts';
import { pairPath, readPair } from './stored-pair.ts';

/** A certificate of the tree: there already, or made and not written yet. */
export type SurveyedCertificate = {
  readonly spec: CertificateSpec;
  /** Path without `.crt` and `.key`. */
  readonly path: string;
  readonly outcome: 'made' | 'reused' | 'external';
  /** Present when it is to be written. */
  readonly pair?: CertificateAndKey;
};

export type TreeSurvey = {
  /** In the order of the tree. */
  readonly certificates: readonly SurveyedCertificate[];
  /** What is there and cannot be used. When there is any, nothing may be written. */
  readonly refusals: readonly Refusal[];
};

/** Looks at what is there and makes, in memory, what is missing. */
export async function surveyTree(options: EnsureCertificatesOptions): Promise<TreeSurvey> {
  return await new Survey(options).run();
}

/** What the survey found of one. */
type Finding = SurveyedCertificate | { readonly refusal: Refusal };

class Survey {
  readonly #options: EnsureCertificatesOptions;
  readonly #now: number;
  readonly #wanted: readonly CertificateSpec[];
  readonly #keys: KeyStock;
  readonly #signers = new Map<
    AuthorityName,
    Signer & { readonly authority?: CertificateAuthority }
  >();

  constructor(options: EnsureCertificatesOptions) {
    this.#options = options;
    this.#now = options.clock.now();
    this.#keys = options.keys ?? new KeyStock(options.settings);
    this.#wanted = wantedCertificates(options.settings);
  }

  async run(): Promise<TreeSurvey> {
    const chosen = this.#wanted.filter((spec) => this.#isChosen(spec));
    const needed = this.#wanted.filter(({ name }) =>
      chosen.some((spec) => spec.name === name || spec.authority === name),
    );
    const judgements = await Promise.all(
      [...new Set([...needed, ...chosen])].map((spec) => this.#read(spec)),
    );
    this.#orderKeys(judgements);
    const isAuthority = ({ spec }: Judgement) => spec.authority === undefined;
    const found = new Map<string, Finding>();
    for (const judgement of judgements.filter(isAuthority)) {
      found.set(judgement.spec.name, await this.#authority(judgement));
    }
    const leaves = judgements.filter((judgement) => !isAuthority(judgement));
    await Promise.all(
      leaves.map(async (judgement) => {
        const finding = await this.#leaf(judgement);
        if (finding !== undefined) found.set(judgement.spec.name, finding);
      }),
    );
    const inOrder = this.#wanted.flatMap(({ name }) => found.get(name) ?? []);
    return {
      certificates: inOrder
        .filter((finding) => 'spec' in finding)
        .filter(({ spec }) => this.#isChosen(spec)),
      refusals: inOrder.flatMap((finding) => ('refusal' in finding ? [finding.refusal] : [])),
    };
  }

  #isChosen({ name }: CertificateSpec): boolean {
    return this.#options.only?.includes(name) ?? true;
  }

  async #read(spec: CertificateSpec): Promise<Judgement> {
    const { files, settings } = this.#options;
    const path = pairPath(settings.cluster.certificatesDir, spec.baseName);
    const origin = (name: string) => nameOrigin(settings, spec, name);
    return { spec, path, origin, now: this.#now, stored: await readPair(files, path) };
  }

  #orderKeys(judgements: readonly Judgement[]): void {
    const isAbsent = ({ stored }: Judgement) =>
      stored.certificatePem === undefined && stored.keyPem === undefined;
    const missing = judgements.filter((each) => isAbsent(each) && this.#mayMake(each.spec));
    this.#keys.order(missing.map(({ spec }) => spec.name));
  }

  #mayMake(spec: CertificateSpec): boolean {
    if (spec.authority !== undefined) return true;
    return this.#isChosen(spec) && this.#options.authorities !== 'require';
  }

  async #authority(judgement: Judgement): Promise<Finding> {
    const { spec, stored, path } = judgement;
    const verdict = judgeAuthority(judgement);
    if (verdict.kind === 'refuse') return { refusal: verdict.refusal };
    if (verdict.kind === 'make') {
      if (!this.#mayMake(spec)) return { refusal: this.#absent(judgement) };
      const key = verdict.key ?? (await this.#keys.take(spec.name));
      const pair = await createCertificateAuthority({
        commonName: spec.subject.commonName,
        validity: authorityValidity(this.#options.settings.cluster, this.#now),
        key,
      });
      this.#sign(spec, { certificatePem: pair.certificatePem, hasKey: true, authority: pair });
      return { spec, path, outcome: 'made', pair };
    }
    const { certificatePem = '', keyPem } = stored;
    if (verdict.kind === 'external' || keyPem === undefined) {
      this.#sign(spec, { certificatePem, hasKey: false });
      return { spec, path, outcome: 'external' };
    }
    const authority = loadCertificateAndKey(certificatePem, keyPem);
    this.#sign(spec, { certificatePem, hasKey: true, authority });
    return { spec, path, outcome: 'reused' };
  }

  #sign({ name }: CertificateSpec, signer: Signer & { readonly authority?: CertificateAuthority }) {
    if (name === 'ca' || name === 'front-proxy-ca' || name === 'etcd-ca')
      this.#signers.set(name, signer);
  }

  #absent({ spec, path }: Judgement): Refusal {
    const reason = `${path}.crt is missing`;
    return this.#options.authorities === 'require'
      ? { reason, remedy: 'copy it from another control plane, or join with --certificate-key' }
      : { reason, remedy: `run: slipway init phase certs ${spec.name}` };
  }

  /** Undefined when its authority was refused: that is reason enough. */
  async #leaf(judgement: Judgement): Promise<Finding | undefined> {
    const { spec, path } = judgement;
    const signer = spec.authority && this.#signers.get(spec.authority);
    if (signer === undefined) return undefined;
    const verdict = judgeLeaf(judgement, signer);
    if (verdict.kind === 'refuse') return { refusal: verdict.refusal };
    if (verdict.kind !== 'make' || signer.authority === undefined)
      return { spec, path, outcome: 'reused' };
    const key = verdict.key ?? (await this.#keys.take(spec.name));
    const { subject, usages, dnsNames, ipAddresses } = spec;
    const pair = await issueCertificate(signer.authority, {
      subject,
      usages,
      dnsNames,
      ipAddresses,
      validity: leafValidity(this.#options.settings.cluster, this.#now),
      key,
    });
    return { spec, path, outcome: 'made', pair };
  }
}
