import { type WrittenCase, WrittenClient } from './written-clients.ts'

const launch = { content: 'Launch', scope: 'project' }
const shared = { content: 'All hands', scope: 'organization' as const }

/** Clients with a mistake, written from the document of the API by somebody who had not read the rules. */
export const badClients: readonly WrittenCase[] = [
  // Creates that happen twice.
  {
    name: 'creates again as soon as the response is lost',
    finds: ['repeated-create'],
    async run({ client, annotations, loseResponse }) {
      loseResponse('createAnnotation')
      await client.post(annotations, launch)
      await client.post(annotations, launch)
    },
  },
  {
    name: 'creates a plugin again as soon as the response is lost',
    finds: ['repeated-create'],
    async run({ client, plugins, loseResponse }) {
      loseResponse('createPlugin')
      await client.post(plugins, { plugin_type: 'source', name: 'Mailer' })
      await client.post(plugins, { plugin_type: 'source', name: 'Mailer' })
    },
  },
  {
    name: 'takes a 502 of a proxy for a refusal and creates again',
    finds: ['repeated-create'],
    async run({ simulator, client, annotations, wait }) {
      simulator.faults.add({
        operation: 'createAnnotation',
        when: { times: 1 },
        phase: 'after-commit',
        effect: { status: 502, body: '<html>Bad gateway</html>' },
      })
      await client.post(annotations, launch)
      wait(1)
      await client.post(annotations, launch)
    },
  },
  {
    name: 'gives up after its own timeout and creates again',
    finds: ['repeated-create'],
    async run({ simulator, client, annotations }) {
      simulator.faults.add({
        operation: 'createAnnotation',
        when: { times: 1 },
        phase: 'after-commit',
        effect: { delay_ms: 200 },
      })
      await client.post(annotations, launch, AbortSignal.timeout(20))
      await client.post(annotations, launch)
    },
  },
  {
    name: 'cannot parse half a response and creates again',
    finds: ['repeated-create'],
    async run({ simulator, client, annotations }) {
      simulator.faults.add({
        operation: 'createAnnotation',
        when: { times: 1 },
        phase: 'after-commit',
        effect: { cut_bytes: 20 },
      })
      await client.post(annotations, launch)
      await client.post(annotations, launch)
    },
  },
  {
    name: 'retries a create three times',
    finds: ['repeated-create'],
    async run({ simulator, client, annotations, wait }) {
      simulator.faults.add({
        operation: 'createAnnotation',
        when: { times: 3 },
        phase: 'after-commit',
        effect: { drop: true },
      })
      for (const seconds of [1, 2, 4, 0]) {
        await client.post(annotations, launch)
        wait(seconds)
      }
    },
  },
  {
    name: 'looks at the newest row only, and creates again',
    finds: ['repeated-create'],
    async run({ client, annotations, loseResponse }) {
      loseResponse('createAnnotation')
      const note = { ...launch, date_marker: '2020-01-01T00:00:00Z' }
      await client.post(annotations, note)
      const { body } = await client.get(`${annotations}?limit=1`)
      if (body.results[0].content !== 'Launch') await client.post(annotations, note)
    },
  },
  {
    name: 'searches for something else, and creates again',
    finds: ['repeated-create'],
    async run({ client, annotations, loseResponse }) {
      loseResponse('createAnnotation')
      await client.post(annotations, launch)
      const { body } = await client.get(`${annotations}?search=lanuch`)
      if (body.count === 0) await client.post(annotations, launch)
    },
  },
  {
    name: 'looks, sees its row in the list, and creates again all the same',
    finds: ['duplicate-row'],
    async run({ client, annotations, loseResponse }) {
      loseResponse('createAnnotation')
      await client.post(annotations, launch)
      await client.get(annotations)
      await client.post(annotations, launch)
    },
  },
  {
    name: 'sees the row of a colleague, and creates the same one',
    finds: ['duplicate-row'],
    async run({ client, colleague, annotations }) {
      await colleague.post(annotations, launch)
      await client.get(annotations)
      await client.post(annotations, launch)
    },
  },
  {
    name: 'looks in another project, and creates again',
    finds: ['repeated-create'],
    async run({ client, annotations, loseResponse }) {
      loseResponse('createAnnotation')
      await client.post(annotations, launch)
      await client.get('/api/projects/2/annotations/')
      await client.post(annotations, launch)
    },
  },
  {
    name: 'looks, gets an error, and creates again',
    finds: ['repeated-create'],
    async run({ client, annotations, loseResponse, refuse }) {
      loseResponse('createAnnotation')
      await client.post(annotations, launch)
      refuse('listAnnotations', 'server_error')
      await client.get(annotations)
      await client.post(annotations, launch)
    },
  },
  {
    name: 'looks at one page of a thousand older rows, and creates again',
    finds: ['repeated-create', 'unread-pages'],
    async run({ client, annotations, loseResponse, seed }) {
      seed(1100)
      loseResponse('createAnnotation')
      const old = { ...launch, date_marker: '2021-01-01T00:00:00Z' }
      await client.post(annotations, old)
      await client.get(annotations)
      await client.post(annotations, old)
    },
  },
  {
    name: 'looks at the first plugin only, and creates again',
    finds: ['repeated-create'],
    async run({ client, plugins, loseResponse }) {
      loseResponse('createPlugin')
      await client.post(plugins, { plugin_type: 'source', name: 'Mailer' })
      await client.get(`${plugins}?limit=1`)
      await client.post(plugins, { plugin_type: 'source', name: 'Mailer' })
    },
  },
  {
    name: 'looked before it created, not after',
    finds: ['repeated-create'],
    async run({ client, annotations, loseResponse }) {
      await client.get(annotations)
      loseResponse('createAnnotation')
      await client.post(annotations, launch)
      await client.post(annotations, launch)
    },
  },
  {
    name: 'installs a plugin that the list has just shown',
    finds: ['duplicate-row'],
    async run({ client, plugins }) {
      await client.post(plugins, { plugin_type: 'source', name: 'Mailer', tag: '1.0' })
      await client.get(plugins)
      await client.post(plugins, { plugin_type: 'source', name: 'Mailer', tag: '1.0' })
    },
  },
  {
    name: 'imports a file twice, although the first import is listed',
    finds: ['duplicate-row'],
    async run({ client, annotations }) {
      const rows = ['Monday', 'Tuesday'].map((content) => ({ content, scope: 'project' }))
      for (const row of rows) await client.post(annotations, row)
      await client.all(annotations)
      for (const row of rows) await client.post(annotations, row)
    },
  },
  {
    name: 'submits a form twice before the first response is there',
    finds: ['duplicate-row'],
    async run({ client, annotations }) {
      await Promise.all([client.post(annotations, launch), client.post(annotations, launch)])
    },
  },

  // Deletes that delete nothing.
  {
    name: 'deletes an annotation by DELETE, and goes on',
    finds: ['swallowed-delete'],
    async run({ client, annotations }) {
      await client.delete(`${annotations}1/`)
      await client.get(annotations)
    },
  },
  {
    name: 'deletes each annotation of a list by DELETE',
    finds: ['swallowed-delete'],
    async run({ client, annotations }) {
      for (const { id } of await client.all(annotations)) {
        await client.delete(`${annotations}${id}/`)
      }
    },
  },
  {
    name: 'uninstalls a plugin that is global, and goes on',
    async run({ client, plugins }) {
      const { body } = await client.post(plugins, {
        plugin_type: 'source',
        name: 'Global',
        is_global: true,
      })
      await client.delete(`${plugins}${body.id}/`)
      await client.get(plugins)
    },
  },
  {
    name: 'removes by ?deleted=true',
    finds: ['ignored-input'],
    async run({ client, annotations }) {
      await client.patch(`${annotations}1/?deleted=true`, {})
    },
  },
  {
    name: 'deletes a plugin twice',
    finds: ['stale-row'],
    async run({ client, plugins }) {
      await client.delete(`${plugins}23/`)
      await client.delete(`${plugins}23/`)
    },
  },

  // Rows that are gone.
  {
    name: 'opens an annotation that it has deleted itself',
    async run({ client, annotations }) {
      await client.get(annotations)
      await client.patch(`${annotations}1/`, { deleted: true })
      await client.get(`${annotations}1/`)
    },
  },
  {
    name: 'edits an annotation that it has deleted itself',
    finds: ['stale-row'],
    async run({ client, annotations }) {
      await client.patch(`${annotations}1/`, { deleted: true })
      await client.patch(`${annotations}1/`, { content: 'Release 1.0.0' })
    },
  },
  {
    name: 'polls a row that it has deleted',
    finds: ['stale-row'],
    async run({ client, annotations, wait }) {
      await client.patch(`${annotations}1/`, { deleted: true })
      for (let count = 0; count < 5; count++) {
        await client.get(`${annotations}1/`)
        wait(10)
      }
    },
  },
  {
    name: 'updates a plugin that it has removed',
    finds: ['stale-row'],
    async run({ client, plugins }) {
      await client.delete(`${plugins}23/`)
      await client.patch(`${plugins}23/`, { name: 'Notifier' })
    },
  },
  {
    name: 'asks for a row that is not there again and again',
    finds: ['repeated-refusal'],
    async run({ client, annotations }) {
      for (let count = 0; count < 10; count++) await client.get(`${annotations}999/`)
    },
  },

  // Pages.
  {
    name: 'shows the first page as if it were all, without a limit',
    finds: ['unread-pages'],
    async run({ client, annotations, seed }) {
      seed(1200)
      await client.get(annotations)
    },
  },
  {
    name: 'thinks that a limit of 100 is enough',
    finds: ['unread-pages'],
    async run({ client, annotations, seed }) {
      seed(150)
      await client.get(`${annotations}?limit=100`)
    },
  },
  {
    name: 'thinks that a limit of 1,000 is enough',
    finds: ['unread-pages'],
    async run({ client, annotations, seed }) {
      seed(1500)
      await client.get(`${annotations}?limit=1000`)
    },
  },
  {
    name: 'shows the first page of plugins as if it were all',
    finds: ['unread-pages'],
    async run({ client, plugins, seedPlugins }) {
      seedPlugins(150)
      await client.get(plugins)
    },
  },
  {
    name: 'adds one to the offset for each page',
    finds: ['repeated-row'],
    async run({ client, annotations }) {
      for (let offset = 0; offset < 4; offset++)
        await client.get(`${annotations}?limit=3&offset=${offset}`)
    },
  },
  {
    name: 'counts pages from one and so begins with the second',
    async run({ client, annotations, seed }) {
      seed(20)
      for (let page = 1; page < 6; page++)
        await client.get(`${annotations}?limit=5&offset=${page * 5}`)
    },
  },
  {
    name: 'deletes what it reads, and goes on with the next offset',
    finds: ['skipped-row'],
    async run({ client, annotations, seed }) {
      seed(6)
      for (let offset = 0; ; offset += 4) {
        const { body } = await client.get(`${annotations}?limit=4&offset=${offset}`)
        if (body.results.length === 0) break
        for (const { id } of body.results)
          await client.patch(`${annotations}${id}/`, { deleted: true })
      }
    },
  },
  {
    name: 'deletes one row, scrolls once more, and stops in the middle',
    finds: ['skipped-row'],
    async run({ client, annotations, seed }) {
      seed(20)
      const { body } = await client.get(`${annotations}?limit=5&offset=0`)
      await client.patch(`${annotations}${body.results[0].id}/`, { deleted: true })
      await client.get(`${annotations}?limit=5&offset=5`)
    },
  },
  {
    name: 'deletes one row, and follows the next of before',
    finds: ['skipped-row'],
    async run({ client, annotations, seed }) {
      seed(20)
      const { body } = await client.get(`${annotations}?limit=5`)
      await client.patch(`${annotations}${body.results[0].id}/`, { deleted: true })
      await client.all(body.next)
    },
  },
  {
    name: 'deletes plugins while it pages through them',
    finds: ['skipped-row'],
    async run({ client, plugins, seedPlugins }) {
      seedPlugins(6)
      const { body } = await client.get(`${plugins}?limit=5`)
      await client.delete(`${plugins}${body.results[4].id}/`)
      await client.get(body.next)
    },
  },
  {
    name: 'reads on while a colleague inserts, and lists a row twice',
    finds: ['repeated-row'],
    async run({ client, colleague, annotations, seed }) {
      seed(6)
      const { body } = await client.get(`${annotations}?limit=4`)
      await colleague.post(annotations, { ...launch, date_marker: '2030-01-01T00:00:00Z' })
      await client.all(body.next)
    },
  },
  {
    name: 'reads on while a colleague deletes, and misses a row',
    finds: ['skipped-row'],
    async run({ client, colleague, annotations, seed }) {
      seed(6)
      const { body } = await client.get(`${annotations}?limit=4`)
      await colleague.patch(`${annotations}${body.results[0].id}/`, { deleted: true })
      await client.all(body.next)
    },
  },
  {
    name: 'reads on in pages of 1,000 while a colleague deletes',
    finds: ['skipped-row'],
    async run({ client, colleague, annotations, seed }) {
      seed(2500)
      const { body } = await client.get(annotations)
      await colleague.patch(`${annotations}${body.results[0].id}/`, { deleted: true })
      await client.all(body.next)
    },
  },
  {
    name: 'asks for pages by number, which the API does not know',
    finds: ['ignored-input'],
    async run({ client, annotations }) {
      for (const page of [1, 2]) await client.get(`${annotations}?page=${page}`)
    },
  },
  {
    name: 'asks for a page size by another name',
    finds: ['ignored-input'],
    async run({ client, annotations }) {
      await client.get(`${annotations}?per_page=3`)
    },
  },
  {
    name: 'asks for a limit of 0, meaning all',
    finds: ['ignored-input'],
    async run({ client, annotations }) {
      await client.get(`${annotations}?limit=0`)
    },
  },
  {
    name: 'stops at a page that failed, as if it were the last',
    async run({ client, annotations, seed, refuse }) {
      seed(20)
      const { body } = await client.get(`${annotations}?limit=10`)
      refuse('listAnnotations', 'server_error')
      await client.get(body.next)
    },
  },

  // What is ignored.
  {
    name: 'misspells a field',
    finds: ['ignored-input'],
    async run({ client, annotations }) {
      await client.post(annotations, { contents: 'Launch' })
    },
  },
  {
    name: 'misspells search',
    finds: ['ignored-input'],
    async run({ client, annotations }) {
      await client.get(`${annotations}?q=launch`)
    },
  },
  {
    name: 'sorts by a parameter that does not exist',
    finds: ['ignored-input'],
    async run({ client, annotations }) {
      await client.get(`${annotations}?ordering=-created_at`)
    },
  },
  {
    name: 'sets the time of creation, which only responses have',
    finds: ['ignored-input'],
    async run({ client, annotations }) {
      await client.post(annotations, { ...launch, created_at: '2020-01-01T00:00:00Z' })
    },
  },
  {
    name: 'changes the address of a plugin, which only responses have',
    finds: ['ignored-input'],
    async run({ client, plugins }) {
      await client.patch(`${plugins}23/`, { url: 'https://github.com/acme/notifier' })
    },
  },

  // Writes over others.
  {
    name: 'saves the whole form over the change of a colleague',
    finds: ['undone-change'],
    async run({ client, colleague, annotations }) {
      const { body } = await client.get(`${annotations}1/`)
      await colleague.patch(`${annotations}1/`, { content: 'Release 1.0 (final)' })
      await client.patch(`${annotations}1/`, {
        content: body.content,
        date_marker: '2024-06-04T09:00:00Z',
      })
    },
  },
  {
    name: 'saves the whole row of a list over the change of a colleague',
    finds: ['undone-change'],
    async run({ client, colleague, annotations }) {
      const { body } = await client.get(annotations)
      const row = body.results.find(({ id }: { id: number }) => id === 1)
      await colleague.patch(`${annotations}1/`, { content: 'Release 1.0 (final)' })
      const { content, date_marker, scope } = row
      await client.patch(`${annotations}1/`, { content, date_marker, scope, deleted: true })
    },
  },
  {
    name: 'moves an annotation of the organization into its own project by an edit',
    async run({ simulator, client, annotations }) {
      const { id } = simulator.world.annotations.add({ ...shared, project: 2 })
      await client.get(annotations)
      await client.patch(`${annotations}${id}/`, { content: 'All hands on Friday' })
    },
  },
  {
    name: 'copies a deleted row with its flag, so that the copy is never seen',
    async run({ client, annotations }) {
      const { body } = await client.patch(`${annotations}1/`, { deleted: true })
      const { content, date_marker, deleted } = body
      await client.post(annotations, { content, date_marker, deleted, scope: 'project' })
    },
  },

  // Retries.
  {
    name: 'ignores how long a 429 says to wait',
    finds: ['early-retry'],
    async run({ client, annotations, refuse }) {
      refuse('listAnnotations', 'throttled', 1, { retry_after_s: 10 })
      await client.get(annotations)
      await client.get(annotations)
    },
  },
  {
    name: 'sends other requests while it is told to wait',
    finds: ['early-retry'],
    async run({ simulator, client, annotations, wait }) {
      simulator.faults.add({
        when: { times: 3 },
        effect: { error: 'throttled', retry_after_s: 30 },
      })
      for (const id of [1, 2, 3]) {
        await client.get(`${annotations}${id}/`)
        wait(1)
      }
    },
  },
  {
    name: 'retries a server that is down ten times without a pause',
    finds: ['endless-retry'],
    async run({ simulator, client, annotations }) {
      simulator.faults.add({ preset: 'outage' })
      for (let count = 0; count < 10; count++) await client.get(annotations)
    },
  },
  {
    name: 'repeats a refused create as it is',
    finds: ['repeated-refusal'],
    async run({ client, annotations }) {
      for (let count = 0; count < 3; count++)
        await client.post(annotations, { ...launch, scope: 'nonsense' })
    },
  },
  {
    name: 'goes on with a key that was refused',
    finds: ['repeated-refusal'],
    async run({ simulator, annotations }) {
      const stranger = new WrittenClient(simulator, 'phx_revoked')
      for (let count = 0; count < 4; count++) await stranger.get(annotations)
    },
  },
  {
    name: 'repeats a write for which its key has no scope',
    finds: ['repeated-refusal'],
    async run({ simulator, annotations }) {
      const reader = new WrittenClient(simulator, 'phx_annotation_read')
      for (let count = 0; count < 3; count++) await reader.post(annotations, launch)
    },
  },
]
