import type { InitSettings } from '../config/configuration.ts';
import { requiredImages } from '../image/required-images.ts';

/** What the phase that looks for the images of a control plane is about to do. */
export function imagePullText(settings: InitSettings): string {
  const { length: count } = requiredImages(settings.cluster);
  return settings.init.nodeRegistration.imagePullPolicy === 'Never'
    ? `looking for ${count} images; none is pulled, as imagePullPolicy asks`
    : `pulling ${count} images; this can take a while`;
}
