import { type Issue, isJsonObject, type JsonObject, type Severity } from '@slipway/base';
import type { ConfigurationCode } from './codes.ts';
import { convertV1alpha } from './convert/convert-v1alpha.ts';
import { convertV1beta3 } from './convert/convert-v1beta3.ts';
import {
  type ConfigurationKind,
  type Conversion,
  type Converted,
  configurationKinds,
} from './convert/converted.ts';
import { parseDocuments } from './document/parse-documents.ts';
import { memberText, type SourceNode } from './document/source-node.ts';
import { type Finding, type Origin, placeFinding } from './finding.ts';
import { readObject } from './read-object.ts';
import {
  kubeletConfigurationShape,
  kubeProxyConfigurationShape,
} from './schema/component-shapes.ts';
import type { Shape } from './schema/shape.ts';
import { v1alpha } from './schema/v1alpha.ts';
import { v1beta3 } from './schema/v1beta3.ts';
import { v1, v1beta4 } from './schema/v1beta4.ts';

/** One kind of the file, as v1beta4 and with its places. */
export type LoadedDocument = {
  readonly object: JsonObject;
  /** Undefined where another document implies it. */
  readonly origin?: Origin;
};

export type LoadedFile = {
  readonly documents: Readonly<Partial<Record<ConfigurationKind, LoadedDocument>>>;
  readonly issues: readonly Issue[];
};

export type LoadOptions = {
  /** Unknown and duplicate fields are errors; default false: warnings, as kubeadm's. */
  readonly strict?: boolean;
  /** Reads kubeadm.k8s.io/v1 without a warning; default false. */
  readonly allowExperimental?: boolean;
};

type KnownVersion = {
  readonly shapes: Readonly<Record<string, Shape>>;
  readonly convert: (kind: string, object: JsonObject) => Conversion;
  /** What is said of the version itself. */
  readonly notice?: { readonly code: ConfigurationCode; readonly message: string };
};

const migrate = 'rewrite the file with `slipway config migrate`';

const versions: Readonly<Record<string, KnownVersion>> = {
  'kubeadm.k8s.io/v1beta4': { shapes: v1beta4, convert: unchanged },
  'kubeadm.k8s.io/v1': {
    shapes: v1,
    convert: unchanged,
    notice: {
      code: 'bootstrap.config.experimental-version',
      message: 'kubeadm.k8s.io/v1 is experimental and may change',
    },
  },
  'kubeadm.k8s.io/v1beta3': { shapes: v1beta3, convert: convertV1beta3, notice: old('v1beta3') },
  'kubeadm.k8s.io/v1alpha1': { shapes: v1alpha, convert: convertV1alpha, notice: old('v1alpha1') },
  'kubeadm.k8s.io/v1alpha2': { shapes: v1alpha, convert: convertV1alpha, notice: old('v1alpha2') },
  'kubelet.config.k8s.io/v1beta1': {
    shapes: { KubeletConfiguration: kubeletConfigurationShape },
    convert: unchanged,
  },
  'kubeproxy.config.k8s.io/v1alpha1': {
    shapes: { KubeProxyConfiguration: kubeProxyConfigurationShape },
    convert: unchanged,
  },
};

function old(version: string) {
  return {
    code: 'bootstrap.config.old-version',
    message: `kubeadm.k8s.io/${version} is an old version of the API`,
  } as const;
}

function unchanged(kind: string, given: JsonObject): Conversion {
  return { documents: [{ kind: kind as ConfigurationKind, object: given }], findings: [] };
}

/** Reads a configuration file: every document checked by the shape of its version and brought to v1beta4. */
export function loadConfiguration(text: string, options: LoadOptions = {}): LoadedFile {
  const parsed = parseDocuments(text);
  const loader = new Loader(options);
  for (const node of parsed.documents) loader.load(node);
  const severity: Severity = options.strict === true ? 'error' : 'warning';
  const syntax = parsed.issues.map((issue) =>
    issue.code === 'bootstrap.config.duplicate-field' ? { ...issue, severity } : issue,
  );
  return { documents: loader.documents, issues: [...syntax, ...loader.issues] };
}

class Loader {
  readonly documents: Partial<Record<ConfigurationKind, LoadedDocument>> = {};
  readonly issues: Issue[] = [];
  readonly #options: LoadOptions;
  readonly #seen = new Set<string>();

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  load(node: SourceNode): void {
    if (node.kind !== 'map') {
      this.#add(node, 'bootstrap.config.not-an-object', 'a document has to be an object');
      return;
    }
    const apiVersion = memberText(node, 'apiVersion');
    const kind = memberText(node, 'kind');
    if (apiVersion === undefined || kind === undefined) {
      const hint = 'start it with apiVersion: kubeadm.k8s.io/v1beta4 and kind: InitConfiguration';
      this.#add(node, 'bootstrap.config.no-kind', 'a document needs apiVersion and kind', hint);
      return;
    }
    const version = Object.hasOwn(versions, apiVersion) ? versions[apiVersion] : undefined;
    const shape =
      version !== undefined && Object.hasOwn(version.shapes, kind)
        ? version.shapes[kind]
        : undefined;
    if (version === undefined || shape === undefined) this.#unknown(node, apiVersion, kind);
    else this.#read(node, kind, version, shape);
  }

  #read(node: SourceNode, kind: string, version: KnownVersion, shape: Shape): void {
    if (this.#seen.has(kind)) {
      this.#add(
        node,
        'bootstrap.config.duplicate-kind',
        `a second document of kind ${kind}`,
        'keep one',
      );
      return;
    }
    this.#seen.add(kind);
    this.#notice(node, version);
    const unknownField = this.#options.strict === true ? 'error' : 'warning';
    const { object: read, findings } = readObject(node, shape, { unknownField });
    this.#place(findings, { node });
    const { apiVersion: _version, kind: _kind, ...fields } = read;
    const isComponent = kind.startsWith('Kube');
    const conversion = version.convert(kind, isComponent ? read : fields);
    this.#place(conversion.findings, { node });
    for (const document of conversion.documents) this.#keep(document, node);
  }

  #keep({ kind, object: converted, sourcePath }: Converted, node: SourceNode): void {
    const known = this.documents[kind];
    const origin: Origin = sourcePath === undefined ? { node } : { node, sourcePath };
    // Implied by another document (a timeout of v1beta3): what the user wrote there comes first.
    const isImplied = !this.#seen.has(kind) && !this.#isOwn(node, kind);
    const merged =
      known === undefined ? converted : mergeObjects(converted, known.object, isImplied);
    const kept = isImplied ? known?.origin : origin;
    this.documents[kind] =
      kept === undefined ? { object: merged } : { object: merged, origin: kept };
  }

  #isOwn(node: SourceNode, kind: string): boolean {
    const own = memberText(node, 'kind');
    return own === kind || own === 'MasterConfiguration' || own === 'NodeConfiguration';
  }

  #notice(node: SourceNode, version: KnownVersion): void {
    if (version.notice === undefined) return;
    const { code, message } = version.notice;
    if (code === 'bootstrap.config.experimental-version' && this.#options.allowExperimental) return;
    this.#place([{ code, severity: 'warning', path: ['apiVersion'], message, hint: migrate }], {
      node,
    });
  }

  #unknown(node: SourceNode, apiVersion: string, kind: string): void {
    const gone = /^kubeadm\.k8s\.io\/(?:v1alpha3|v1beta1|v1beta2)$/.test(apiVersion);
    const isKnownKind = (configurationKinds as readonly string[]).includes(kind);
    const message = `${apiVersion} ${kind} is not read`;
    if (gone) {
      const hint = 'bring it to v1beta3 with the kubeadm of its time, or write it as v1beta4';
      this.#add(node, 'bootstrap.config.old-version', message, hint);
    } else if (isKnownKind || apiVersion.startsWith('kubeadm.k8s.io/')) {
      const hint = `known are ${Object.keys(versions).join(', ')}`;
      this.#add(node, 'bootstrap.config.unknown-kind', message, hint);
    } else {
      const severity = this.#options.strict === true ? 'error' : 'warning';
      const path = ['kind'];
      const code = 'bootstrap.config.unexpected-kind';
      this.#place([{ code, severity, path, message, hint: 'remove the document' }], { node });
    }
  }

  #add(node: SourceNode, code: ConfigurationCode, message: string, hint?: string): void {
    const finding: Finding = { code, severity: 'error', path: [], message };
    this.#place([hint === undefined ? finding : { ...finding, hint }], { node });
  }

  #place(findings: readonly Finding[], origin: Origin): void {
    this.issues.push(...findings.map((finding) => placeFinding(finding, origin)));
  }
}

/** `over` onto `under`, object by object; the other way round when `under` is what the user wrote. */
function mergeObjects(given: JsonObject, known: JsonObject, knownFirst: boolean): JsonObject {
  const [under, over] = knownFirst ? [given, known] : [known, given];
  const merged: Record<string, JsonObject[string]> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = under[key];
    merged[key] = isJsonObject(value) && isJsonObject(below) ? { ...below, ...value } : value;
  }
  return merged;
}
