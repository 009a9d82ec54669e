import type { PolicySettings } from './policies/policies.ts'
import type { UncheckedField } from './world/load.ts'

/** The fields that may hold any text, since the policies let requests write any. */
export function uncheckedFields(settings: PolicySettings): UncheckedField[] {
  const free: UncheckedField[] = []
  if (settings['annotations.creation_type.values'] === 'any') free.push('annotations.creation_type')
  if (settings['annotations.scope.values'] === 'any') free.push('annotations.scope')
  if (settings['plugins.plugin_type.values'] === 'any') free.push('plugins.plugin_type')
  return free
}

/** All fields that policies can let hold any text: for what was checked before. */
export const allUncheckedFields: readonly UncheckedField[] = [
  'annotations.creation_type',
  'annotations.scope',
  'plugins.plugin_type',
]
