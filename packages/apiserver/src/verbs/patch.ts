import type { StoredObject } from '../contract.ts';
import type { Answer } from '../http/answer.ts';
import { patcherOf } from '../patch/apply-patch.ts';
import { pruneBody } from '../wire/decode-body.ts';
import { duplicateFields } from '../wire/duplicate-fields.ts';
import type { ObjectWriter } from './object-writer.ts';
import { renderRecord } from './render.ts';
import { fieldValidationOf, type ResourceCall, writeContext } from './resource-call.ts';
import { placeOf } from './write.ts';

/** PATCH of an object or of one of its subresources. */
export async function patchObject(writer: ObjectWriter, call: ResourceCall): Promise<Answer> {
  const { definition } = call;
  const context = writeContext(call, 'PatchOptions');
  const validation = fieldValidationOf(call, 'PatchOptions');
  const patch = patcherOf(definition, call.contentType, call.body);
  const duplicates = validation === 'Ignore' ? [] : duplicateFields(call.body.toString('utf8'));
  function change(object: StoredObject): StoredObject {
    const { warnings } = context;
    warnings.length = 0;
    return pruneBody(definition, { value: patch(object), duplicates }, { validation, warnings });
  }
  const record = await writer.update(placeOf(call), change, context);
  return renderRecord(call, 200, record, context.warnings);
}
