import { isObject } from '../../../utils/json.ts'
import { type Answer, byStatus, NoSuchValue, paths, Unclear } from '../requests.ts'
import type { Probes, Round } from '../round.ts'

/** Probes that create plugins of type `source`, for which a server installs nothing. */
export const pluginProbes: Probes = {
  'plugins.create.required': {
    shows: 'the statuses of POST without name, and without url',
    writes: true,
    async observe(round) {
      const { own } = round.observer
      const accepts = async (field: 'name' | 'url'): Promise<boolean> =>
        byStatus(await own.createPlugin(round, field), { 201: true, 400: false })
      const needsName = !(await accepts('url'))
      const needsUrl = !(await accepts('name'))
      if (needsName && needsUrl)
        throw new NoSuchValue('POST is refused without name, and without url.')
      return needsName ? 'name' : needsUrl ? 'url' : 'none'
    },
  },
  'plugins.create.install': {
    shows: 'whether a plugin of type source is stored with the url of the body',
    writes: true,
    async observe(round) {
      const { body } = await createdWithUrl(round)
      const url = isObject(body) ? body.url : undefined
      if (url === null || url === '') return 'stored_as_given'
      if (typeof url === 'string') return 'from_url'
      throw new Unclear('The created plugin has no field url.')
    },
  },
  'plugins.create.without_url': {
    shows: 'the status of POST without url and without plugin_type',
    writes: true,
    unless: 'Plugins are not installed from a url, or url is required.',
    async observe(round) {
      const { found, own } = round.observer
      const required = found.get('plugins.create.required') ?? 'url'
      if (found.get('plugins.create.install') !== 'from_url' || required === 'url') {
        throw new Unclear(
          'It matters only if plugins are installed from a url that is not required.',
        )
      }
      const answer = await own.createWithoutUrl(round)
      return byStatus(answer, { 201: 'stored', 400: 'refused', 500: 'server_error' })
    },
  },
  'headers.location': {
    shows: 'the header of a created plugin',
    writes: true,
    async observe(round) {
      const answer = await createdWithUrl(round)
      return answer.headers.has('location') ? 'url' : 'absent'
    },
  },
  'plugins.plugin_type.values': {
    shows: 'the statuses of an unknown value, and of `inline`',
    writes: true,
    async observe(round) {
      const accepts = async (plugin_type: string): Promise<boolean> =>
        byStatus(await round.change('plugin', { body: { plugin_type } }), { 200: true, 400: false })
      if (!(await accepts('inline'))) return 'observed'
      return (await accepts(`understudy_${round.number}`)) ? 'any' : 'with_inline'
    },
  },
  'plugins.json_fields.structure': {
    shows: 'the status of another JSON value of config_schema',
    writes: true,
    async observe(round) {
      const config_schema = round.number === 1 ? 'understudy' : 1
      const answer = await round.change('plugin', { body: { config_schema } })
      return byStatus(answer, { 200: 'any_json', 400: 'observed_shape' })
    },
  },
  'plugins.json_fields.null': {
    shows: 'the status of null as config_schema',
    writes: true,
    async observe(round) {
      const answer = await round.change('plugin', { body: { config_schema: null } })
      return byStatus(answer, { 200: 'accepted', 400: 'refused' })
    },
  },
  'plugins.global.visibility': {
    shows: 'GET of an own global plugin in another organization of the user',
    writes: true,
    unless: 'The list of projects shows only one organization.',
    async observe(round) {
      const { otherOrganization, own } = round.observer
      if (otherOrganization === null) throw new Unclear('It needs a user of two organizations.')
      const key = round.keys.for('plugin:read')
      own.requireWrites()
      const id = await own.globalPlugin(round)
      const path = paths.plugin.replace(':organization_id', ':other_organization_id')
      const answer = await round.get(path, { key, id })
      return byStatus(answer, { 200: 'every_organization', 404: 'own_organization' })
    },
  },
  'plugins.delete.global': {
    shows: 'the status of DELETE of an own global plugin',
    writes: true,
    async observe(round) {
      const { own } = round.observer
      own.requireWrites()
      const id = await own.globalPlugin(round)
      const key = round.keys.for('plugin:write')
      const answer = await round.send('DELETE', paths.plugin, { key, id })
      const value = byStatus(answer, { 204: 'deleted', 400: 'refused' })
      if (value === 'deleted') own.forget('plugin', id)
      return value
    },
  },
  'plugins.access_level': {
    hidden: 'It depends on plugins_access_level of the organization, which no response contains.',
  },
}

/** A created plugin whose body had a url. @throws Unclear */
async function createdWithUrl(round: Round): Promise<Answer> {
  const { own } = round.observer
  const answer = await own.createPlugin(round, 'url')
  if (answer.status === 201) return answer
  const named = await own.createPlugin(round, 'name', 'url')
  byStatus(named, { 201: true })
  return named
}
