import { annotationsPath, pluginsPath as plugins } from '../support/api/paths.ts'
import { type Clients, WrittenClient } from './written-clients.ts'

const annotations = annotationsPath
const launch = { content: 'Launch', scope: 'project' }

/**
 * Clients with a mistake by the rules that name it, or by none if a client without a mistake sends the same requests.
 * Most are by an author who had read the document of the API, and not the rules.
 */
export const badClients: Readonly<Record<string, Clients>> = {
  'repeated-create': {
    async 'sends its queue, and what was lost of it again at the end'({ client, loseResponse }) {
      const rows = [1, 2, 3, 4].map((number) => ({ ...launch, content: `Row ${number}` }))
      const failed = []
      for (const row of rows) {
        if (row.content === 'Row 2') loseResponse('createAnnotation')
        if ((await client.post(annotations, row)).status === null) failed.push(row)
      }
      for (const row of failed) await client.post(annotations, row)
    },
    async 'begins an import again that failed in the middle'({ client, refuse }) {
      const rows = [1, 2, 3].map((number) => ({ ...launch, content: `Guest ${number}` }))
      for (const row of rows) {
        if (row.content === 'Guest 3') refuse('createAnnotation', { status: 503 })
        await client.post(annotations, row)
      }
      for (const row of rows) await client.post(annotations, row)
    },
    async 'takes a list that failed for an empty one, and creates its rows'({ client, refuse }) {
      const { body } = await client.get(annotations)
      refuse('listAnnotations', { status: 503 })
      await client.get(annotations)
      const { content, date_marker, scope } = body.results.at(-1)
      await client.post(annotations, { content, date_marker, scope })
    },
    async 'looks at the first plugin only, and creates again'({ client, loseResponse }) {
      loseResponse('createPlugin')
      await client.post(plugins, { plugin_type: 'source', name: 'Mailer' })
      await client.get(`${plugins}?limit=1`)
      const current = '/api/organizations/@current/plugins/'
      await client.post(current, { plugin_type: 'source', name: 'Mailer' })
    },
  },
  'repeated-create ignored-input': {
    async 'counts its attempts, and builds the date of a lost row again'({ client, loseResponse }) {
      loseResponse('createAnnotation')
      const time = new Date('2024-09-07T08:00:00Z')
      await client.post(annotations, { ...launch, date_marker: '2024-09-07T08:00:00Z' })
      await client.post(annotations, { ...launch, date_marker: time.toISOString(), attempt: 2 })
    },
  },
  'duplicate-row': {
    async 'starts an import again that had crashed half-way'({ client, wait }) {
      const rows = [1, 2, 3].map((day) => ({
        content: `Release ${day}`,
        date_marker: `2024-05-0${day}T09:00:00Z`,
      }))
      for (const row of rows.slice(0, 2)) await client.post(annotations, row)
      wait(600)
      for (const row of rows) await client.post(annotations, row)
    },
    async 'creates a row whenever it is drawn'({ client }) {
      const row = { ...launch, date_marker: '2024-06-20T09:00:00Z' }
      for (let count = 0; count < 2; count++) await client.post(annotations, row)
    },
    async 'submits a form of two notes twice'({ client }) {
      const notes = ['a', 'b', 'a', 'b'].map((content) => ({ ...launch, content }))
      await Promise.all(notes.map((note) => client.post(annotations, note)))
    },
    async 'submits a form twice before the first response is there'({ client }) {
      await Promise.all([client.post(annotations, launch), client.post(annotations, launch)])
    },
  },
  'moved-row': {
    async 'edits what another project lists, too'({ client }) {
      await client.patch(`${annotations}3/`, { content: 'Ours' })
    },
  },
  'duplicate-row ignored-input': {
    async 'relies on an idempotency key'({ client }) {
      for (let count = 0; count < 2; count++)
        await client.post(annotations, launch, { 'idempotency-key': 'a' })
    },
  },
  'swallowed-delete': {
    async 'deletes an annotation by DELETE, and goes on'({ client }) {
      await client.delete(`${annotations}1/`)
      await client.get(annotations)
    },
  },
  none: {
    // A user can want a second row like the first one.
    async 'installs a plugin that the list has just shown'({ client }) {
      await client.post(plugins, { plugin_type: 'source', name: 'Mailer', tag: '1.0' })
      await client.get(plugins)
      await client.post(plugins, { plugin_type: 'source', name: 'Mailer', tag: '1.0' })
    },
    // Two tabs with one key send what one form does whose user takes a change back.
    async 'saves the form of one tab over that of another one'({ client }) {
      const { body } = await client.get(`${annotations}1/`)
      await client.patch(`${annotations}1/`, { content: `${body.content} +1` })
      const time = { date_marker: '2024-06-04T09:00:00Z' }
      await client.patch(`${annotations}1/`, { content: body.content, ...time })
    },
    // A row may be in no dashboard, and the API fills in the scope.
    async 'forgets the scope, so that the row belongs to no dashboard'({ client }) {
      await client.post(annotations, { content: 'Launch' })
    },
    // A user can upgrade again on purpose, with the same request.
    async 'upgrades a plugin a second time when it has the first response'({ client }) {
      await client.post(`${plugins}22/upgrade/`, {})
      await client.post(`${plugins}22/upgrade/`, {})
    },
    async 'copies a deleted row with its flag, so that the copy is never seen'({ client }) {
      const { body } = await client.patch(`${annotations}1/`, { deleted: true })
      const { content, date_marker, deleted } = body
      await client.post(annotations, { content, date_marker, deleted, scope: 'project' })
    },
  },
  'ignored-input': {
    async 'saves a row whole, as it read it'({ client }) {
      const { body } = await client.get(`${annotations}1/`)
      await client.patch(`${annotations}1/`, { ...body, content: 'Launch' })
    },
    async 'saves a row that it has read as another one'({ client }) {
      const { body } = await client.get(`${annotations}1/`)
      await client.post(annotations, body)
    },
    async 'removes by ?deleted=true'({ client }) {
      await client.patch(`${annotations}1/?deleted=true`, {})
    },
  },
  'overlapping-updates': {
    async 'upgrades a plugin by a double click'({ client }) {
      const upgrade = () => client.post(`${plugins}22/upgrade/`, {})
      await Promise.all([upgrade(), upgrade()])
    },
    async 'saves each key stroke without waiting'({ client }) {
      const texts = ['L', 'La', 'Lau']
      await Promise.all(texts.map((content) => client.patch(`${annotations}1/`, { content })))
    },
  },
  'unhandled-refusal': {
    async 'upgrades a plugin that it has deleted'({ client }) {
      await client.delete(`${plugins}22/`)
      await client.post(`${plugins}22/upgrade/`, {})
    },
    async 'saves an empty form when its row could not be read'({ client, refuse }) {
      refuse('retrieveAnnotation', { status: 503 })
      await client.get(`${annotations}1/`)
      const empty = { content: '', date_marker: null, dashboard_item: null }
      await client.patch(`${annotations}1/`, { ...empty, scope: 'project' })
    },
    async 'saves a form by PUT'({ client }) {
      await client.send('PUT', `${annotations}1/`, launch)
    },
    async 'installs a plugin without its url'({ simulator, client }) {
      simulator.settings.set({ 'plugins.create.install': 'from_url' })
      await client.post(plugins, { plugin_type: 'custom', name: 'Mailer' })
    },
    async 'does not look at the status of a create'({ client }) {
      await client.post(annotations, { ...launch, scope: 'nonsense' })
      await client.get(annotations)
    },
    async 'follows next without its key'({ client, simulator }) {
      const { body } = await client.get(`${annotations}?limit=4`)
      await simulator.fetch(body.next.slice(body.next.indexOf('/api/')))
    },
    async 'sends all rows as one body'({ client }) {
      await client.post(annotations, [launch, launch])
    },
    async 'leaves out Bearer'({ simulator }) {
      await simulator.fetch(annotations, { headers: { authorization: 'phx_all' } })
    },
    async 'has a version in its paths'({ client }) {
      await client.get('/api/v1/projects/1/annotations/')
    },
    async 'saves what it remembers of plugins that were removed'({ client }) {
      for (const id of [91, 92]) await client.patch(`${plugins}${id}/`, { tag: '2' })
    },
    async 'saves a row that a colleague has removed'({ simulator, client }) {
      await client.get(`${annotations}1/`)
      simulator.world.annotations.delete(1)
      await client.patch(`${annotations}1/`, launch)
    },
    async 'imports five rows, and drops the one that a gateway refused'({ client, refuse }) {
      for (const number of [1, 2, 3, 4, 5]) {
        if (number === 3) refuse('createAnnotation', { status: 503 })
        await client.post(annotations, { ...launch, content: `Guest ${number}` })
      }
    },
    async 'imports two rows, the first of which did not arrive'({ client, loseRequest }) {
      loseRequest('createAnnotation')
      for (const content of ['Guest 1', 'Guest 2'])
        await client.post(annotations, { ...launch, content })
    },
    async 'moves a row, and gives up when its create fails'({ client, refuse }) {
      const { body } = await client.patch(`${annotations}1/`, { deleted: true })
      refuse('createAnnotation', { status: 503 })
      await client.post('/api/projects/2/annotations/', { content: body.content })
    },
    async 'imports two rows with a broken time'({ client }) {
      await client.get(annotations)
      for (const content of ['Guest 1', 'Guest 2'])
        await client.post(annotations, { ...launch, content, date_marker: 'soon' })
    },
    async 'saves one of two rows'({ client }) {
      await client.patch(`${annotations}1/`, { date_marker: '' })
      await client.patch(`${annotations}2/`, launch)
    },
    async 'writes with a key that only reads, and takes all for done'({ simulator }) {
      const reader = new WrittenClient(simulator, 'phx_annotation_read')
      await reader.get(annotations)
      await reader.post(annotations, launch)
    },
  },
  'unhandled-refusal unhandled-refusal': {
    async 'reads and writes with a wrong scheme'({ simulator }) {
      const headers = { authorization: 'Token phx_all', 'content-type': 'application/json' }
      await simulator.fetch(annotations, { headers })
      await simulator.fetch(annotations, { method: 'POST', headers, body: '{"content":"Launch"}' })
    },
    async 'reads and writes a path that the API lacks'({ client }) {
      await client.get('/api/projects/1/annotation/')
      await client.post('/api/projects/1/annotation/', launch)
    },
  },
  'stale-row': {
    async 'saves text into a row that a colleague has deleted'({ client, colleague }) {
      await client.get(`${annotations}1/`)
      await colleague.patch(`${annotations}1/`, { deleted: true })
      await client.patch(`${annotations}1/`, launch)
    },
  },
  'repeated-refusal': {
    async 'goes on with a key that was refused'({ simulator }) {
      const stranger = new WrittenClient(simulator, 'phx_revoked')
      for (let count = 0; count < 4; count++) await stranger.get(annotations)
    },
    async 'goes on to poll when its key is revoked'({ simulator, client, wait }) {
      await client.get(annotations)
      simulator.keys.revoke('phx_all')
      for (let count = 0; count < 3; count++) {
        wait(10)
        await client.get(annotations)
      }
    },
  },
  'exposed-key': {
    async 'has its key in a URL, too'({ client }) {
      await client.get(`${annotations}?personal_api_key=phx_all`)
    },
    async 'writes down its key'({ client }) {
      await client.post(annotations, { ...launch, content: 'curl -H "Bearer phx_all"' })
    },
  },
  'ignored-input exposed-key': {
    async 'has its key in each body'({ client }) {
      await client.post(annotations, { ...launch, auth: { key: 'phx_all' } })
    },
  },
  'malformed-value': {
    async 'saves a row before its id is there'({ client }) {
      const { id }: { readonly id?: number } = {}
      await client.patch(`${annotations}${id}/`, launch)
    },
    async 'searches for a text that is not there yet'({ client }) {
      const { text }: { readonly text?: string } = {}
      await client.get(`${annotations}?search=${text}`)
    },
    async 'takes seconds for milliseconds'({ client }) {
      const date_marker = new Date(1_795_600_000).toISOString()
      await client.post(annotations, { ...launch, date_marker })
    },
    async 'escapes a text before it saves it, each time'({ client }) {
      await client.patch(`${annotations}1/`, { content: 'Q &amp;amp; A' })
    },
    async 'sends a structure as a text of JSON'({ client }) {
      await client.patch(`${plugins}23/`, { config_schema: '[{"key": "host"}]' })
    },
    async 'puts an object into a text'({ client }) {
      await client.post(annotations, { ...launch, content: `Launch by ${{}}` })
    },
    async 'puts an object into a path'({ client }) {
      await client.get(`/api/projects/${encodeURIComponent(String({}))}/annotations/`)
    },
    async 'sends the key of a variable that is not set'({ simulator }) {
      await new WrittenClient(simulator, 'undefined').get(annotations)
    },
    async 'writes Bearer before a key that begins with it'({ simulator }) {
      await new WrittenClient(simulator, 'Bearer phx_all').get(annotations)
    },
    async 'encodes a search twice'({ client }) {
      await client.get(`${annotations}?search=Release%25201.0`)
    },
  },
  'unread-pages': {
    async 'selects all on the first page of a search, and deletes that'({ client, seed }) {
      seed(6)
      const { body } = await client.get(`${annotations}?search=release&limit=3`)
      for (const { id } of body.results)
        await client.patch(`${annotations}${id}/`, { deleted: true })
    },
    async 'shows the first page as if it were all, without a limit'({ client, seed }) {
      seed(1200)
      await client.get(annotations)
    },
  },
  'repeated-row': {
    async 'adds one to the offset for each page'({ client }) {
      for (let offset = 0; offset < 4; offset++)
        await client.get(`${annotations}?limit=3&offset=${offset}`)
    },
  },
  'skipped-row': {
    async 'adds twice the limit to the offset until a page is empty'({ client }) {
      for (const offset of [0, 4, 8]) await client.get(`${annotations}?limit=2&offset=${offset}`)
    },
    async 'forgets the search after the first page'({ client, seed }) {
      seed(6)
      await client.get(`${annotations}?search=release&limit=2`)
      await client.get(`${annotations}?limit=2&offset=2`)
    },
    async 'goes on after a page that failed'({ client, refuse, seed }) {
      seed(6)
      await client.get(`${annotations}?limit=2&offset=0`)
      refuse('listAnnotations', { status: 503 })
      await client.get(`${annotations}?limit=2&offset=2`)
      await client.get(`${annotations}?limit=2&offset=4`)
    },
    async 'takes a page that failed for the end, and creates what it misses'({ client, refuse }) {
      const { body } = await client.get(`${annotations}?limit=2`)
      refuse('listAnnotations', { status: 503 })
      await client.get(body.next)
      await client.post(annotations, launch)
    },
    async 'deletes what it reads, and goes on with the next offset'({ client, seed }) {
      seed(6)
      for (let offset = 0; ; offset += 4) {
        const { body } = await client.get(`${annotations}?limit=4&offset=${offset}`)
        if (body.results.length === 0) break
        for (const { id } of body.results)
          await client.patch(`${annotations}${id}/`, { deleted: true })
      }
    },
  },
  'local-time': {
    async 'saves the digits that it read in UTC with another offset, or without the time'({
      client,
    }) {
      const { body } = await client.get(`${annotations}1/`)
      for (const form of [body.date_marker.replace('Z', '+02:00'), body.date_marker.slice(0, 10)])
        await client.patch(`${annotations}1/`, { date_marker: form })
    },
  },
  'undone-change': {
    async 'sends again what had failed, after a newer value'({ client, refuse }) {
      refuse('updateAnnotation', { status: 503 })
      for (const content of ['Old', 'New', 'Old'])
        await client.patch(`${annotations}1/`, { content })
    },
  },
  'early-retry': {
    async 'does not read the date that a 503 names'({ client, refuse, wait }) {
      const headers = { 'retry-after': 'Sat, 15 Jun 2024 12:01:00 GMT' }
      refuse('listAnnotations', { status: 503, headers }, 2)
      for (let count = 0; count < 3; count++) {
        await client.get(annotations)
        wait(5)
      }
    },
  },
  'endless-retry': {
    async 'retries a server that is down ten times without a pause'({ simulator, client }) {
      simulator.faults.add({ preset: 'outage' })
      for (let count = 0; count < 10; count++) await client.get(annotations)
    },
  },
}
