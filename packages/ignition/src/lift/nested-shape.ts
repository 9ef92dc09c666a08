import { type ObjectShape, shapes } from '../schema.ts';

/** Shape of the objects in each field that has objects or lists of objects. */
const nestedShapes: Readonly<Record<string, ObjectShape>> = {
  ignition: shapes.ignition,
  storage: shapes.storage,
  systemd: shapes.systemd,
  passwd: shapes.passwd,
  files: shapes.file,
  user: shapes.owner,
  group: shapes.owner,
  verification: shapes.verification,
  units: shapes.unit,
  dropins: shapes.dropin,
  users: shapes.user,
};

/** Shape of the objects in a field. `contents` is an object in files and a text in units. */
export function nestedShapeOf(shape: ObjectShape, key: string): ObjectShape | undefined {
  if (key === 'contents') return shape === shapes.file ? shapes.contents : undefined;
  return Object.hasOwn(shape.unsupported, key) ? undefined : nestedShapes[key];
}
