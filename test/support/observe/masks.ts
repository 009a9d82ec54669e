import type { PolicyId, PolicySettings } from '../../../src/policies/policies.ts'

const withoutMessage = ({ 'errors.body': form }: PolicySettings) =>
  form === 'html' || form === 'empty'

const isNotBelowMaximum = (id: PolicyId) => (settings: PolicySettings) => {
  const { 'lists.limit.maximum': maximum } = settings
  return maximum !== 'none' && Number(settings[id]) >= Number(maximum)
}

/** The settings of other policies under which a policy does not show itself, even with all keys and writes. */
export const masks: { readonly [Id in PolicyId]?: (settings: PolicySettings) => boolean } = {
  'keys.www_authenticate': (settings) => settings['keys.missing.status'] === '403',
  'keys.empty_scopes': (settings) =>
    withoutMessage(settings) &&
    settings['keys.empty_scopes'] === 'nothing' &&
    settings['keys.missing.status'] === '403' &&
    settings['keys.insufficient.status'] === '403' &&
    settings['projects.list.scope'] !== 'any_key',
  'projects.id.not_a_number': withoutMessage,
  'annotations.list.limit.default': isNotBelowMaximum('annotations.list.limit.default'),
  'plugins.list.limit.default': isNotBelowMaximum('plugins.list.limit.default'),
  'projects.list.limit.default': isNotBelowMaximum('projects.list.limit.default'),
  'annotations.delete.status': (settings) =>
    settings['errors.body'] === 'empty' && settings['annotations.delete.status'].startsWith('405'),
  'plugins.create.without_url': (settings) =>
    settings['plugins.create.install'] === 'stored_as_given' ||
    settings['plugins.create.required'] === 'url',
  'plugins.extras.none': (settings) => {
    const isMissing = settings['plugins.extras.none'] === 'not_found'
    return settings['plugins.extras.body'] !== 'plugin' || (isMissing && withoutMessage(settings))
  },
  'limits.retry_after': () => true,
}
