import type { MachineConfig } from '@slipway/api';

type Spec = NonNullable<MachineConfig['spec']>;

export type FileInput = {
  readonly path: string;
  readonly text: string;
  readonly mode?: number;
  readonly user?: string;
};

export type UnitInput = {
  readonly name: string;
  readonly enabled?: boolean;
  readonly mask?: boolean;
  readonly contents?: string;
  readonly dropins?: readonly { readonly name: string; readonly contents: string }[];
};

/** A rendered configuration's spec, from plain words. */
export function spec(input: {
  readonly files?: readonly FileInput[];
  readonly units?: readonly UnitInput[];
  readonly keys?: readonly string[];
  readonly kernelArguments?: readonly string[];
}): Spec {
  const files = (input.files ?? []).map(({ path, text, mode, user }) => ({
    path,
    ...(mode === undefined ? {} : { mode }),
    ...(user === undefined ? {} : { user: { name: user } }),
    contents: { source: `data:,${encodeURIComponent(text)}` },
  }));
  const users =
    input.keys === undefined ? [] : [{ name: 'boot', sshAuthorizedKeys: [...input.keys] }];
  return {
    config: JSON.parse(
      JSON.stringify({
        ignition: { version: '3.4.0' },
        storage: { files },
        systemd: { units: input.units ?? [] },
        passwd: { users },
      }),
    ),
    kernelArguments: input.kernelArguments ?? [],
  };
}
