import type { SettingOverrides } from '../../../src/settings/resolve.ts'
import type { Random } from '../random.ts'
import { type ErrorStyle, Refusal, showRefusal } from './foreign-errors.ts'
import { type Habits, randomHabits, truthOf } from './foreign-habits.ts'
import { authorize, type Call, pageOf, readBody } from './foreign-messages.ts'

type Row = Record<string, unknown>

/** A server of annotations and plugins that was written without the simulator. */
export class ForeignServer {
  readonly habits: Habits
  readonly style: ErrorStyle
  readonly annotations: Row[] = []
  readonly plugins: Row[] = []
  readonly #ids: 'numbers' | 'uuids'
  #created = 0

  constructor(random: Random, style: ErrorStyle, ids: 'numbers' | 'uuids' = 'numbers') {
    this.habits = randomHabits(random)
    this.style = style
    this.#ids = ids
    for (let index = 0; index < 12; index += 1) {
      this.annotations.push(this.#newAnnotation({ content: `Row ${index}` }))
    }
    this.plugins.push(this.#newPlugin({ name: 'Mail export', plugin_type: 'custom', org: 'org-a' }))
  }

  readonly fetch = async (
    input: string | URL | Request,
    init: RequestInit = {},
  ): Promise<Response> => {
    const url = new URL(String(input))
    const call: Call = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: new Headers(init.headers),
      text: String(init.body ?? ''),
      url,
    }
    try {
      return this.#withHeaders(call, this.#answer(call))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return this.#withHeaders(call, showRefusal(error, this.style, this.habits.challenge))
    }
  }

  /** The values that the server has. A value is left out if the server does what no value of it says. */
  get truth(): SettingOverrides {
    return truthOf(this.habits, this.style)
  }

  #answer(call: Call): Response {
    const { path } = call
    const segments = path.split('/').filter(Boolean)
    const [api, parent, id, list, row, action] = segments
    if (api !== 'api' || !path.endsWith('/')) throw new Refusal(404, 'There is nothing here.')
    if (parent === 'projects' && id === undefined) return this.#projects(call)
    if (parent === 'projects' && list === 'annotations' && action === undefined) {
      return this.#annotations(call, id as string, row)
    }
    if (parent === 'organizations' && list === 'plugins') {
      return this.#pluginsOf(call, id as string, row, action)
    }
    throw new Refusal(404, 'There is nothing here.')
  }

  /** @throws Refusal for a method that the path does not have */
  #allow(call: Call, methods: readonly string[]): void {
    if (methods.includes(call.method)) return
    const isRefused = this.habits.undocumented === 'refused_to_scoped_keys'
    authorize(call, this.habits, isRefused ? 'refused' : null)
    throw new Refusal(405, 'The method cannot be used here.')
  }

  #projects(call: Call): Response {
    if (call.method === 'OPTIONS') return Response.json({ name: 'Projects' })
    this.#allow(call, ['GET'])
    const { projects } = this.habits
    authorize(call, this.habits, projects === 'any_key' ? null : projects)
    const rows = ['a', 'b'].map((name, index) => {
      return { id: index + 1, organization: `org-${name}`, name: `Project ${name}` }
    })
    return pageOf(this.habits, call, rows, this.habits.projectLimit)
  }

  #annotations(call: Call, project: string, id: string | undefined): Response {
    const { habits } = this
    const { method, query } = call
    if (method === 'OPTIONS') return Response.json({ name: 'Annotations' })
    const isDelete = id !== undefined && method === 'DELETE'
    const methods = id === undefined ? ['GET', 'POST'] : ['GET', 'PATCH', 'DELETE']
    this.#allow(call, [...methods, ...(habits.puts && id !== undefined ? ['PUT'] : [])])
    authorize(call, this.habits, method === 'GET' ? 'annotation:read' : 'annotation:write')
    if (project === '@current' ? !habits.current : !/^\d+$/.test(project)) {
      throw new Refusal(404, 'The project does not exist.')
    }
    const sent = ['POST', 'PATCH', 'PUT'].includes(method) ? readBody(call, this.habits) : {}
    if (id === undefined && method === 'GET') {
      const search = query.get('search') ?? ''
      const shown = this.annotations
        .filter((row) => !row.deleted || habits.deleted === 'listed')
        .filter(({ content }) => String(content).includes(search))
      return pageOf(
        this.habits,
        call,
        shown.map((row) => this.#show(row)),
        habits.annotationLimit,
      )
    }
    if (id === undefined) {
      this.#checkAnnotation(sent)
      const row = this.#newAnnotation(sent)
      this.annotations.push(row)
      return Response.json(this.#show(row), { status: this.style === 'fastapi' ? 200 : 201 })
    }
    const row = this.annotations.find((each) => `${each.id}` === id)
    if (isDelete && row && habits.deleteAnnotation === 'removes') {
      this.annotations.splice(this.annotations.indexOf(row), 1)
      return new Response(null, { status: 204 })
    }
    if (isDelete && habits.deleteAnnotation === 'empty') return new Response(null, { status: 405 })
    if (isDelete) throw new Refusal(Number(habits.deleteAnnotation) || 404, 'Hide it instead.')
    const search = habits.searchesRows ? (query.get('search') ?? '') : ''
    const isHidden =
      row?.deleted && (method === 'GET' ? habits.deleted === 'hidden' : !habits.restores)
    if (!row || isHidden || !String(row.content).includes(search)) {
      throw new Refusal(404, 'There is no such row.')
    }
    if (method === 'GET') return Response.json(this.#show(row))
    this.#checkAnnotation(sent)
    this.#change(row, sent, ['content', 'date_marker', 'creation_type', 'scope', 'deleted'])
    return Response.json(this.#show(row))
  }

  /** @throws Refusal */
  #checkAnnotation(sent: Row): void {
    const { habits } = this
    const scopes = {
      may_2024: ['dashboard_item', 'project', 'organization'],
      july_2024: ['dashboard_item', 'project', 'organization', 'dashboard'],
      ever_seen: ['dashboard_item', 'project', 'organization', 'dashboard', 'recording', 'tag'],
      any: null,
      own: ['project', 'tag', 'team'],
    }[habits.scopes]
    if (sent.scope !== undefined && scopes && !scopes.includes(String(sent.scope))) {
      throw new Refusal(400, 'This is no scope.', 'scope')
    }
    const types = habits.creationTypes === 'any' ? null : ['USR', 'GIT']
    if (sent.creation_type !== undefined && types && !types.includes(String(sent.creation_type))) {
      throw new Refusal(400, 'This is no creation type.', 'creation_type')
    }
    for (const field of ['date_marker', 'dashboard_item']) {
      if (sent[field] === null && !habits.nulls) throw new Refusal(400, 'Null is no value.', field)
    }
  }

  #pluginsOf(call: Call, org: string, id?: string, action?: string): Response {
    const { habits } = this
    const { method } = call
    if (method === 'OPTIONS') return Response.json({ name: 'Plugins' })
    const lists = ['activity', 'exports_unsubscribe_configs', 'repository', 'unused']
    if (id && lists.includes(id) && !action) return this.#listOf(call, org, id)
    if (action) return this.#actionOf(call, org, id as string, action)
    const methods = id === undefined ? ['GET', 'POST'] : ['GET', 'PATCH', 'DELETE']
    this.#allow(call, methods)
    authorize(call, this.habits, method === 'GET' ? 'plugin:read' : 'plugin:write')
    const own = this.#organization(org)
    if (id === undefined && method === 'GET') {
      return pageOf(this.habits, call, this.#visible(own).map(showPlugin), habits.pluginLimit)
    }
    const sent = method === 'DELETE' || method === 'GET' ? {} : readBody(call, this.habits)
    if (id === undefined) return this.#createPlugin(sent, own)
    const row = this.#findPlugin(own, id)
    if (method === 'GET') return Response.json(showPlugin(row))
    if (method === 'DELETE') {
      if (row.is_global && habits.globals === 'refused') throw new Refusal(400, 'It is global.')
      this.plugins.splice(this.plugins.indexOf(row), 1)
      return new Response(null, { status: 204 })
    }
    this.#checkPlugin(sent)
    this.#change(row, sent, pluginFields)
    return Response.json(showPlugin(row))
  }

  #createPlugin(sent: Row, org: string): Response {
    const { habits } = this
    this.#checkPlugin(sent)
    const { required } = habits
    if (required !== 'none' && !sent[required]) throw new Refusal(400, 'It is missing.', required)
    const isInstalled = habits.url === 'installed' && sent.plugin_type !== 'source'
    if (isInstalled && !sent.url) throw new Refusal(400, 'It is missing.', 'url')
    if (isInstalled && !/github|gitlab|npmjs/.test(String(sent.url))) {
      throw new Refusal(400, 'Nothing can be installed from there.', 'url')
    }
    const row = this.#newPlugin({ ...sent, org })
    if (habits.url === 'ignored') row.url = null
    this.plugins.push(row)
    const headers = habits.location === 'url' ? { location: `${row.url ?? 'None'}` } : {}
    const status = this.style === 'fastapi' ? 200 : 201
    return Response.json(showPlugin(row), { status, headers })
  }

  /** @throws Refusal */
  #checkPlugin(sent: Row): void {
    const { habits } = this
    const types = ['local', 'custom', 'repository', 'source']
    if (habits.pluginTypes === 'with_inline') types.push('inline')
    const isAny = habits.pluginTypes === 'any' || sent.plugin_type === undefined
    if (!isAny && !types.includes(String(sent.plugin_type))) {
      throw new Refusal(400, 'This is no type.', 'plugin_type')
    }
    for (const field of ['config_schema', 'capabilities', 'metrics', 'public_jobs']) {
      const value = sent[field]
      const isChecked = field === 'config_schema' || field === 'capabilities'
      if (value === null && isChecked && !habits.structuredNull) {
        throw new Refusal(400, 'Null is no value.', field)
      }
      if (value === undefined || value === null || typeof value === 'object') continue
      if (habits.structured === 'observed_shape') throw new Refusal(400, 'Odd.', field)
    }
  }

  /** The four lists of plugins. There is no plugin for the lists of this server to show but the first one. */
  #listOf(call: Call, org: string, name: string): Response {
    const { habits } = this
    this.#allow(call, ['GET'])
    this.#authorizeExtra(call, 'read')
    const own = this.#organization(org)
    const [first] = this.#visible(own)
    if (habits.bodies === 'plugin') {
      if (!first || name === 'repository') throw new Refusal(404, 'There is no such row.')
      return Response.json(showPlugin(first))
    }
    const rows = {
      activity: [{ id: 5, activity: 'installed', scope: 'Plugin' }],
      exports_unsubscribe_configs: [],
      repository: [{ name: 'Mail export', url: 'https://github.com/a/b' }],
      unused: this.#visible(own).map(({ id }) => id),
    }[name as 'activity'] as readonly unknown[]
    if (habits.bodies === 'envelope') return pageOf(this.habits, call, rows, 100)
    if (name !== 'activity') return Response.json(rows)
    return Response.json({ results: rows, next: null, previous: null, total_count: rows.length })
  }

  #actionOf(call: Call, org: string, id: string, action: string): Response {
    const { habits } = this
    const method = { update_source: 'PATCH', upgrade: 'POST' }[action] ?? 'GET'
    if (!['source', 'check_for_updates', 'update_source', 'upgrade'].includes(action)) {
      throw new Refusal(404, 'There is nothing here.')
    }
    this.#allow(call, [method])
    this.#authorizeExtra(call, method === 'GET' ? 'read' : 'write')
    const row = this.#findPlugin(this.#organization(org), id)
    const shown = showPlugin(row)
    if (action === 'check_for_updates') {
      return Response.json(habits.bodies !== 'plugin' ? { plugin: shown } : shown)
    }
    const sent = method === 'GET' ? {} : readBody(call, this.habits)
    if (action === 'upgrade') {
      if (habits.bodies === 'plugin') {
        if ('is_global' in sent && typeof sent.is_global !== 'boolean')
          throw new Refusal(400, 'This is no truth value.', 'is_global')
        const { required } = habits
        if (required !== 'none' && !sent[required]) throw new Refusal(400, 'Missing.', required)
      }
      return Response.json(shown)
    }
    if (habits.bodies === 'plugin' || habits.bodies === 'mixed') return Response.json(shown)
    row.files = { ...(row.files as Row), ...sent }
    return Response.json(row.files)
  }

  #authorizeExtra(call: Call, access: 'read' | 'write'): void {
    const { extras } = this.habits
    const scope = { plugin: `plugin:${access}`, any_key: null, refused: 'refused' }[extras]
    authorize(call, this.habits, scope)
  }

  #organization(name: string): string {
    const own = name === '@current' && this.habits.current ? 'org-a' : name
    if (own !== 'org-a' && own !== 'org-b') throw new Refusal(404, 'There is no such row.')
    return own
  }

  #visible(org: string): Row[] {
    const isShared = this.habits.globalReach === 'every_organization'
    return this.plugins.filter((row) => row.org === org || (isShared && row.is_global))
  }

  #findPlugin(org: string, id: string): Row {
    const row = this.#visible(org).find((each) => `${each.id}` === id)
    if (row) return row
    throw new Refusal(404, 'There is no such row.')
  }

  #change(row: Row, sent: Row, fields: readonly string[]): void {
    for (const field of fields) if (sent[field] !== undefined) row[field] = sent[field]
  }

  #newId(): number | string {
    this.#created += 1
    const digits = `${this.#created}`.padStart(12, '0')
    return this.#ids === 'numbers' ? this.#created : `6f2b0000-aaaa-4000-8000-${digits}`
  }

  #newAnnotation(sent: Row): Row {
    return {
      id: this.#newId(),
      content: sent.content ?? null,
      date_marker: sent.date_marker ?? null,
      creation_type: sent.creation_type ?? 'USR',
      deleted: sent.deleted ?? false,
      scope: sent.scope ?? 'project',
    }
  }

  #newPlugin(sent: Row): Row {
    return {
      id: this.#newId(),
      files: {},
      ...Object.fromEntries(pluginFields.map((field) => [field, sent[field] ?? null])),
      is_global: sent.is_global ?? false,
      url: sent.url ?? null,
      org: sent.org,
    }
  }

  #show(row: Row): Row {
    const { fields } = this.habits
    const insight = { dashboard_id: null, dashboard_name: null, insight_derived_name: null }
    return {
      ...row,
      created_by: {
        id: 3,
        first_name: 'Ida',
        ...(fields !== 'may_2024' && { hedgehog_config: {} }),
      },
      created_at: '2024-06-01T00:00:00Z',
      ...(fields === 'july_2024' && insight),
      ...(fields === 'further' && { tags: [] }),
    }
  }

  #withHeaders({ path }: Call, response: Response): Response {
    const { allow } = this.habits
    const isList = /\/(annotations|plugins)\/$/.test(path)
    const isKnown = /^\/api\/(projects|organizations)\//.test(path)
    const isShown =
      (allow === 'every_answer' && isKnown) ||
      (allow === 'on_405' && response.status === 405) ||
      (allow === 'lists' && isList)
    const methods = isList ? 'GET, POST, OPTIONS' : 'GET, PATCH, POST, DELETE, OPTIONS'
    if (isShown) response.headers.set('allow', methods)
    return response
  }
}

const pluginFields = [
  'name',
  'description',
  'plugin_type',
  'is_global',
  'config_schema',
  'capabilities',
  'metrics',
  'public_jobs',
]

function showPlugin({ files, org, ...row }: Row): Row {
  return { ...row, organization_id: org, tag: null, latest_tag: null, icon: null }
}
