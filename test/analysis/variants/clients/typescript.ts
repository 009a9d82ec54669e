/** Where a client finds the service, as its configuration says. */
export interface Settings {
  readonly url: string
  readonly key: string
  readonly project: number
  readonly organization: string
}

/** A client in TypeScript. It rejects if it cannot do its work. */
export interface TypeScriptClient {
  readonly client: string
  /** What it depends on by reading it: policies, and changes of responses. */
  readonly dependsOn: readonly string[]
  readonly run: (settings: Settings) => Promise<unknown>
}

interface Row {
  readonly id: number
  readonly content: string
  readonly date_marker: string
  readonly scope: string
  readonly created_by: { readonly email: string }
}

interface Page {
  readonly next: string | null
  readonly results: readonly Row[]
}

const deploy = {
  content: 'Deployed 3f2c1d0',
  date_marker: '2020-01-01T09:00:00Z',
  scope: 'project',
}

/** Clients for the usual tests: each successful operation delays a sweep, by a slow response. */
export const quickClients: readonly TypeScriptClient[] = [
  {
    client: 'announces a deploy, and prints the id',
    dependsOn: [],
    run: async (settings) => {
      const { id } = await api<Row>(settings, 'POST', annotations(settings), deploy)
      check(Number.isSafeInteger(id), 'an id')
    },
  },
  {
    client: 'compares the time that it wrote as text',
    dependsOn: [
      'mutate.annotation.date_marker=milliseconds',
      'mutate.annotation.date_marker=offset',
    ],
    run: async (settings) => {
      const { date_marker } = await api<Row>(settings, 'POST', annotations(settings), deploy)
      check(date_marker === deploy.date_marker, 'its own time')
    },
  },
  {
    client: 'shows the detail of an error to its user',
    dependsOn: ['errors.body'],
    run: async (settings) => {
      const long = { content: 'x'.repeat(500) }
      const response = await send(settings, 'POST', annotations(settings), long)
      const { detail } = (await response.json()) as { detail: unknown }
      check(typeof detail === 'string', 'a detail')
    },
  },
  {
    client: 'shows the status of an error to its user',
    dependsOn: [],
    run: async (settings) => {
      const long = { content: 'x'.repeat(500) }
      const { status } = await send(settings, 'POST', annotations(settings), long)
      check(status === 400, 'a refusal')
    },
  },
  {
    client: 'signs in again after 401 only',
    dependsOn: ['keys.missing.status'],
    run: async (settings) => {
      const { status } = await send(
        { ...settings, key: 'phx_revoked' },
        'GET',
        annotations(settings),
      )
      check(status === 401, 'a refused key')
    },
  },
]

export const longerClients: readonly TypeScriptClient[] = [
  {
    client: 'deletes by PATCH only if DELETE returns 405',
    dependsOn: ['annotations.delete.status'],
    run: async (settings) => {
      const row = `${annotations(settings)}1/`
      const { status, ok } = await send(settings, 'DELETE', row)
      if (status === 405) await api(settings, 'PATCH', row, { deleted: true })
      else check(ok, 'a deleted row')
    },
  },
  {
    client: 'deletes by PATCH if DELETE returns any error',
    dependsOn: [],
    run: async (settings) => {
      const row = `${annotations(settings)}1/`
      const { ok } = await send(settings, 'DELETE', row)
      if (!ok) await api(settings, 'PATCH', row, { deleted: true })
    },
  },
  {
    client: 'knows three scopes',
    dependsOn: ['mutate.annotation.scope=new_value'],
    run: async (settings) => {
      const { scope } = await api<Row>(settings, 'GET', `${annotations(settings)}1/`)
      check(['dashboard_item', 'project', 'organization'].includes(scope), 'a scope')
    },
  },
  {
    client: 'shows the text in capitals, and the name before the @ of the author',
    dependsOn: ['mutate.annotation.content=null', 'mutate.annotation.created_by=null'],
    run: async (settings) => {
      const row = await api<Row>(settings, 'GET', `${annotations(settings)}1/`)
      return [row.content.toUpperCase(), row.created_by.email.split('@')[0]]
    },
  },
  {
    client: 'renames a plugin',
    dependsOn: [],
    run: async (settings) => {
      const plugin = `/api/organizations/${settings.organization}/plugins/24/`
      const { name } = await api<{ name: string }>(settings, 'PATCH', plugin, { name: 'Sampler' })
      check(name === 'Sampler', 'the new name')
    },
  },
  {
    client: 'upgrades a plugin with an empty body, and with a key that has scopes',
    // The body of an upgrade has the fields of a new plugin, so a service may require the same ones.
    dependsOn: ['plugins.create.required', 'plugins.upgrade.scope'],
    run: (settings) =>
      api(settings, 'POST', `/api/organizations/${settings.organization}/plugins/22/upgrade/`, {}),
  },
  {
    client: 'compares the time that it wrote as a point in time',
    dependsOn: [],
    run: async (settings) => {
      const { date_marker } = await api<Row>(settings, 'POST', annotations(settings), deploy)
      check(Date.parse(date_marker) === Date.parse(deploy.date_marker), 'its own time')
    },
  },
  {
    client: 'takes 404 as the sign that its row is deleted',
    dependsOn: ['annotations.deleted.visibility'],
    run: async (settings) => {
      const { id } = await api<Row>(settings, 'POST', annotations(settings), deploy)
      const row = `${annotations(settings)}${id}/`
      await api(settings, 'PATCH', row, { deleted: true })
      check((await send(settings, 'GET', row)).status === 404, 'a deleted row')
    },
  },
  {
    client: 'looks for its row in the first page',
    dependsOn: ['annotations.list.limit.default', 'mutate.annotation=empty_page'],
    run: async (settings) => {
      const { id } = await api<Row>(settings, 'POST', annotations(settings), deploy)
      const { results } = await api<Page>(settings, 'GET', annotations(settings))
      check(
        results.some((row) => row.id === id),
        'its row',
      )
    },
  },
  {
    client: 'looks for its row in all pages by next',
    dependsOn: [],
    run: async (settings) => {
      const { id } = await api<Row>(settings, 'POST', annotations(settings), deploy)
      const rows = new Map<number, Row>()
      for (let next: string | null = annotations(settings); next; ) {
        const page: Page = await api<Page>(settings, 'GET', next)
        for (const row of page.results) rows.set(row.id, row)
        next = page.next
      }
      check(rows.has(id), 'its row')
    },
  },
  {
    client: 'reads pages of 500 until one has fewer rows',
    // A service that sends fewer rows than the limit ends it after the first page.
    dependsOn: [
      'lists.limit.maximum',
      'mutate.annotation=empty_page',
      'mutate.annotation=short_page',
    ],
    run: async (settings) => {
      const { id } = await api<Row>(settings, 'POST', annotations(settings), deploy)
      const ids: number[] = []
      for (let length = 500; length === 500; ) {
        const query = `?limit=500&offset=${ids.length}`
        const { results } = await api<Page>(settings, 'GET', annotations(settings) + query)
        ids.push(...results.map((row) => row.id))
        length = results.length
      }
      check(ids.includes(id), 'its row')
    },
  },
  {
    client: 'creates its row if a search does not find it, and then finds it once',
    dependsOn: ['mutate.annotation=empty_page'],
    run: async (settings) => {
      const search = `${annotations(settings)}?search=3f2c1d0x`
      const content = 'Deployed 3f2c1d0x'
      const find = async () => (await api<Page>(settings, 'GET', search)).results
      if ((await find()).length === 0) {
        await api(settings, 'POST', annotations(settings), { ...deploy, content })
      }
      check((await find()).length === 1, 'one row')
    },
  },
]

const annotations = ({ project }: Settings): string => `/api/projects/${project}/annotations/`

/** Sends JSON to a path, or to a whole URL. */
function send(
  { url, key }: Settings,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return fetch(new URL(path, url), {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

/** Returns the body of a success, as axios does, and rejects otherwise. */
async function api<T>(
  settings: Settings,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await send(settings, method, path, body)
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`)
  return (await response.json()) as T
}

function check(condition: boolean, what: string): void {
  if (!condition) throw new Error(`expected ${what}`)
}
