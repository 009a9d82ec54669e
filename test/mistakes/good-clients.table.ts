import { type WrittenCase, WrittenClient } from './written-clients.ts'

const launch = { content: 'Launch', scope: 'project' }
const mailer = { plugin_type: 'source', name: 'Mailer' }

/** Clients without a mistake, written from the document of the API by somebody who had not read the rules. */
export const goodClients: readonly WrittenCase[] = [
  // Lists.
  {
    name: 'reads all pages by next',
    async run({ client, annotations, seed }) {
      seed(20)
      await client.all(`${annotations}?limit=5`)
    },
  },
  {
    name: 'reads 2,500 rows by next in pages of 1,000',
    async run({ client, annotations, seed }) {
      seed(2500)
      await client.all(annotations)
    },
  },
  {
    name: 'reads pages by offset until one is empty',
    async run({ client, annotations, seed }) {
      seed(20)
      for (let offset = 0; ; offset += 10) {
        const { body } = await client.get(`${annotations}?limit=10&offset=${offset}`)
        if (body.results.length === 0) break
      }
    },
  },
  {
    name: 'reads pages by offset until count is reached',
    async run({ client, annotations, seed }) {
      seed(20)
      for (let offset = 0, count = 1; offset < count; offset += 10)
        count = (await client.get(`${annotations}?limit=10&offset=${offset}`)).body.count
    },
  },
  {
    name: 'reads the first page, and all others at the same time',
    async run({ client, annotations, seed }) {
      seed(30)
      const { body } = await client.get(`${annotations}?limit=10`)
      const offsets = Array.from({ length: Math.ceil(body.count / 10) - 1 }, (_, i) => (i + 1) * 10)
      await Promise.all(
        offsets.map((offset) => client.get(`${annotations}?limit=10&offset=${offset}`)),
      )
    },
  },
  {
    name: 'shows the latest five',
    async run({ client, annotations, seed }) {
      seed(20)
      await client.get(`${annotations}?limit=5`)
    },
  },
  {
    name: 'asks for one row, because it needs the count',
    async run({ client, annotations, seed }) {
      seed(200)
      await client.get(`${annotations}?limit=1`)
    },
  },
  {
    name: 'turns the pages of a table forth and back',
    async run({ client, annotations, seed }) {
      seed(30)
      for (const page of [0, 1, 2, 1, 0])
        await client.get(`${annotations}?limit=10&offset=${page * 10}`)
    },
  },
  {
    name: 'jumps to the third page of a table',
    async run({ client, annotations, seed }) {
      seed(60)
      for (const page of [0, 3]) await client.get(`${annotations}?limit=10&offset=${page * 10}`)
    },
  },
  {
    name: 'changes the rows per page of a table',
    async run({ client, annotations, seed }) {
      seed(60)
      for (const limit of [10, 25, 50]) await client.get(`${annotations}?limit=${limit}&offset=0`)
    },
  },
  {
    name: 'reads the first page again after its own create',
    async run({ client, annotations, seed }) {
      seed(20)
      await client.get(`${annotations}?limit=10&offset=0`)
      await client.post(annotations, launch)
      await client.get(`${annotations}?limit=10&offset=0`)
      await client.get(`${annotations}?limit=10&offset=10`)
    },
  },
  {
    name: 'starts again when the count has changed between pages',
    async run({ client, colleague, annotations, seed }) {
      seed(20)
      const { body } = await client.get(`${annotations}?limit=10`)
      await colleague.post(annotations, launch)
      const second = await client.get(body.next)
      if (second.body.count !== body.count) await client.all(`${annotations}?limit=10`)
    },
  },
  {
    name: 'deletes a row of the second page and reads this page again',
    async run({ client, annotations, seed }) {
      seed(30)
      const path = `${annotations}?limit=10&offset=10`
      await client.get(`${annotations}?limit=10&offset=0`)
      const { body } = await client.get(path)
      await client.patch(`${annotations}${body.results[2].id}/`, { deleted: true })
      await client.get(path)
    },
  },
  {
    name: 'goes back a page when it has deleted the last row of the last page',
    async run({ simulator, client, annotations }) {
      simulator.world.add({ annotations: [] })
      await client.get(`${annotations}?limit=5&offset=0`)
      const { body } = await client.get(`${annotations}?limit=5&offset=5`)
      for (const { id } of body.results)
        await client.patch(`${annotations}${id}/`, { deleted: true })
      await client.get(`${annotations}?limit=5&offset=5`)
      await client.get(`${annotations}?limit=5&offset=0`)
    },
  },
  {
    name: 'empties a list: deletes the first page until there is none',
    async run({ client, annotations, seed }) {
      seed(12)
      for (;;) {
        const { body } = await client.get(`${annotations}?limit=5`)
        if (body.results.length === 0) break
        for (const { id } of body.results)
          await client.patch(`${annotations}${id}/`, { deleted: true })
      }
    },
  },
  {
    name: 'reads everything, and deletes only then',
    async run({ client, annotations, seed }) {
      seed(12)
      const rows = await client.all(`${annotations}?limit=5`)
      for (const { id } of rows) await client.patch(`${annotations}${id}/`, { deleted: true })
    },
  },
  {
    name: 'deletes in reverse, from the last page to the first',
    async run({ client, annotations, seed }) {
      seed(14)
      const { body: first } = await client.get(`${annotations}?limit=1`)
      for (let offset = Math.floor((first.count - 1) / 5) * 5; offset >= 0; offset -= 5) {
        const { body } = await client.get(`${annotations}?limit=5&offset=${offset}`)
        for (const { id } of body.results)
          await client.patch(`${annotations}${id}/`, { deleted: true })
      }
    },
  },
  {
    name: 'lowers its offset by what it has deleted itself',
    async run({ client, annotations, seed }) {
      seed(20)
      const { body } = await client.get(`${annotations}?limit=10&offset=0`)
      await client.patch(`${annotations}${body.results[0].id}/`, { deleted: true })
      await client.get(`${annotations}?limit=10&offset=9`)
      await client.get(`${annotations}?limit=10&offset=19`)
    },
  },
  {
    name: 'refreshes a list each half minute',
    async run({ client, annotations, wait }) {
      for (let count = 0; count < 10; count++) {
        await client.get(annotations)
        wait(30)
      }
    },
  },
  {
    name: 'searches while somebody types',
    async run({ client, annotations }) {
      for (const text of ['S', 'Sp', 'Spr', 'Spri'])
        await client.get(`${annotations}?search=${text}&limit=20`)
    },
  },
  {
    name: 'aborts the search of before',
    async run({ simulator, client, annotations }) {
      simulator.faults.add({
        operation: 'listAnnotations',
        when: { times: 1 },
        effect: { delay_ms: 200 },
      })
      const abort = new AbortController()
      const first = client.send('GET', `${annotations}?search=Sp`, undefined, abort.signal)
      abort.abort()
      await Promise.all([first, client.get(`${annotations}?search=Spring`)])
    },
  },
  {
    name: 'mounts twice, as React does in strict mode',
    async run({ client, annotations }) {
      await Promise.all([client.get(annotations), client.get(annotations)])
    },
  },
  {
    name: 'asks for all rows by a large limit',
    async run({ client, annotations, seed }) {
      seed(1200)
      await client.get(`${annotations}?limit=10000`)
    },
  },
  {
    name: 'pages through a list while a colleague does, too',
    async run({ client, colleague, annotations, seed }) {
      seed(10)
      for (const offset of [0, 5, 10]) {
        await client.get(`${annotations}?limit=5&offset=${offset}`)
        await colleague.get(`${annotations}?limit=5&offset=${offset + 5}`)
      }
      await client.get(`${annotations}?limit=5&offset=15`)
    },
  },
  {
    name: 'sends a page that failed again, and reads on',
    async run({ client, annotations, seed, refuse, wait }) {
      seed(20)
      const { body } = await client.get(`${annotations}?limit=10`)
      refuse('listAnnotations', 'server_error')
      await client.get(body.next)
      wait(1)
      await client.all(body.next)
    },
  },

  // Creates.
  {
    name: 'looks after a lost response, and finds its row',
    async run({ client, annotations, loseResponse }) {
      loseResponse('createAnnotation')
      await client.post(annotations, launch)
      await client.all(annotations)
    },
  },
  {
    name: 'looks after a lost request, finds nothing, and creates again',
    async run({ client, annotations, loseRequest }) {
      loseRequest('createAnnotation')
      await client.post(annotations, launch)
      const rows = await client.all(annotations)
      if (!rows.some(({ content }) => content === 'Launch')) await client.post(annotations, launch)
    },
  },
  {
    name: 'looks at three pages of 1,000 after a lost request, and creates again',
    async run({ client, annotations, loseRequest, seed }) {
      seed(2500)
      loseRequest('createAnnotation')
      await client.post(annotations, launch)
      await client.all(annotations)
      await client.post(annotations, launch)
    },
  },
  {
    name: 'searches for its row after a lost request, and creates again',
    async run({ client, annotations, loseRequest }) {
      loseRequest('createAnnotation')
      await client.post(annotations, launch)
      const { body } = await client.get(`${annotations}?search=Launch`)
      if (body.count === 0) await client.post(annotations, launch)
    },
  },
  {
    name: 'looks for a plugin after a lost request, and installs it',
    async run({ client, plugins, loseRequest, seedPlugins }) {
      seedPlugins(120)
      loseRequest('createPlugin')
      await client.post(plugins, mailer)
      await client.all(plugins)
      await client.post(plugins, mailer)
    },
  },
  {
    name: 'waits after a 429, and creates again, because nothing was done',
    async run({ client, annotations, refuse, wait }) {
      refuse('createAnnotation', 'throttled', 1, { retry_after_s: 5 })
      await client.post(annotations, launch)
      wait(5)
      await client.post(annotations, launch)
    },
  },
  {
    name: 'corrects a refused create, and sends it again',
    async run({ client, annotations }) {
      await client.post(annotations, { ...launch, scope: 'nonsense' })
      await client.post(annotations, launch)
    },
  },
  {
    name: 'seeds two equal rows, one after the other',
    async run({ client, annotations }) {
      await client.post(annotations, launch)
      await client.post(annotations, launch)
    },
  },
  {
    name: 'seeds ten equal rows',
    async run({ client, annotations }) {
      for (let count = 0; count < 10; count++) await client.post(annotations, launch)
    },
  },
  {
    name: 'creates the same note on two days',
    async run({ client, annotations, wait }) {
      await client.post(annotations, { content: 'Deployed', scope: 'project' })
      wait(86_400)
      await client.get(annotations)
      await client.post(annotations, {
        content: 'Deployed',
        scope: 'project',
        date_marker: '2024-06-16T12:00:00Z',
      })
    },
  },
  {
    name: 'creates the same note in two projects',
    async run({ client, annotations }) {
      await client.post(annotations, launch)
      await client.post('/api/projects/2/annotations/', launch)
    },
  },
  {
    name: 'creates a note again that it has deleted',
    async run({ client, annotations }) {
      const { body } = await client.post(annotations, launch)
      await client.patch(`${annotations}${body.id}/`, { deleted: true })
      await client.post(annotations, launch)
    },
  },
  {
    name: 'does not know that a colleague wrote the same note',
    async run({ client, colleague, annotations }) {
      await client.get(annotations)
      await colleague.post(annotations, launch)
      await client.post(annotations, launch)
    },
  },
  {
    name: 'deletes the second one of a note that it created twice',
    async run({ client, annotations, loseResponse }) {
      loseResponse('createAnnotation')
      await client.post(annotations, launch)
      const { body } = await client.post(annotations, launch)
      await client.patch(`${annotations}${body.id}/`, { deleted: true })
    },
  },

  // Changes.
  {
    name: 'sends a lost change again, since it changes nothing more',
    async run({ client, annotations, loseResponse }) {
      loseResponse('updateAnnotation')
      await client.patch(`${annotations}1/`, { content: 'Release 1' })
      await client.patch(`${annotations}1/`, { content: 'Release 1' })
    },
  },
  {
    name: 'sends a lost soft delete again',
    async run({ client, annotations, loseResponse }) {
      loseResponse('updateAnnotation')
      await client.patch(`${annotations}1/`, { deleted: true })
      await client.patch(`${annotations}1/`, { deleted: true })
    },
  },
  {
    name: 'sends a lost DELETE of a plugin again, and takes 404 for done',
    async run({ client, plugins, loseResponse }) {
      loseResponse('deletePlugin')
      await client.delete(`${plugins}23/`)
      await client.delete(`${plugins}23/`)
    },
  },
  {
    name: 'saves a text while somebody types it',
    async run({ client, annotations, wait }) {
      for (const content of ['R', 'Re', 'Rel']) {
        await client.patch(`${annotations}1/`, { content })
        wait(1)
      }
    },
  },
  {
    name: 'changes only the field that the user changed, beside a colleague',
    async run({ client, colleague, annotations }) {
      await client.get(`${annotations}1/`)
      await colleague.patch(`${annotations}1/`, { content: 'Release 1.0 (final)' })
      await client.patch(`${annotations}1/`, { date_marker: '2024-06-04T09:00:00Z' })
    },
  },
  {
    name: 'reads the row again before it saves, beside a colleague',
    async run({ client, colleague, annotations }) {
      await client.get(`${annotations}1/`)
      await colleague.patch(`${annotations}1/`, { content: 'Release 1.0 (final)' })
      const { body } = await client.get(`${annotations}1/`)
      await client.patch(`${annotations}1/`, { content: `${body.content}!` })
    },
  },
  {
    name: 'deletes, and undoes it',
    async run({ client, annotations }) {
      await client.patch(`${annotations}1/`, { deleted: true })
      await client.patch(`${annotations}1/`, { deleted: false })
      await client.get(`${annotations}1/`)
    },
  },
  {
    name: 'deletes, reads the list again, and does not see the row',
    async run({ client, annotations }) {
      await client.get(annotations)
      await client.patch(`${annotations}1/`, { deleted: true })
      await client.get(annotations)
    },
  },
  {
    name: 'tries DELETE once, and then removes by PATCH',
    async run({ client, annotations }) {
      const { status } = await client.delete(`${annotations}1/`)
      if (status === 405) await client.patch(`${annotations}1/`, { deleted: true })
    },
  },
  {
    name: 'makes a plugin local, and uninstalls it then',
    async run({ client, plugins }) {
      const { body } = await client.post(plugins, { ...mailer, is_global: true })
      const path = `${plugins}${body.id}/`
      if ((await client.delete(path)).status === 400) {
        await client.patch(path, { is_global: false })
        await client.delete(path)
      }
    },
  },
  {
    name: 'edits a plugin, looks for its updates, and upgrades it',
    async run({ client, plugins }) {
      await client.get(`${plugins}21/`)
      await client.patch(`${plugins}21/`, { description: 'Writes events.' })
      await client.get(`${plugins}21/check_for_updates/`)
      await client.post(`${plugins}21/upgrade/`, {})
    },
  },

  // Refusals.
  {
    name: 'drops a row of its cache after a 404',
    async run({ client, colleague, annotations }) {
      await client.get(annotations)
      await colleague.patch(`${annotations}1/`, { deleted: true })
      await client.get(`${annotations}1/`)
      await client.get(annotations)
    },
  },
  {
    name: 'waits for a row that a colleague will restore',
    async run({ client, colleague, annotations, wait }) {
      for (let count = 0; count < 3; count++) {
        await client.get(`${annotations}6/`)
        wait(5)
      }
      await colleague.patch(`${annotations}6/`, { deleted: false })
      await client.get(`${annotations}6/`)
    },
  },
  {
    name: 'asks for another key after a 401',
    async run({ simulator, annotations }) {
      await new WrittenClient(simulator, 'phx_expired').get(annotations)
      await new WrittenClient(simulator, 'phx_all').get(annotations)
    },
  },
  {
    name: 'hides the button after a 403',
    async run({ simulator, annotations }) {
      const reader = new WrittenClient(simulator, 'phx_annotation_read')
      await reader.post(annotations, launch)
      await reader.get(annotations)
    },
  },
  {
    name: 'opens a page with a refused key, whose four parts ask at the same time',
    async run({ simulator, annotations }) {
      const stranger = new WrittenClient(simulator, 'phx_expired')
      await Promise.all(['', '1/', '2/', '3/'].map((id) => stranger.get(annotations + id)))
    },
  },
  {
    name: 'backs off from a server that is down',
    async run({ simulator, client, annotations, wait }) {
      simulator.faults.add({ when: { times: 3 }, effect: { error: 'server_error' } })
      for (const seconds of [1, 2, 4]) {
        await client.get(annotations)
        wait(seconds)
      }
      await client.get(annotations)
    },
  },
  {
    name: 'repeats a read once after a 500',
    async run({ client, annotations, refuse }) {
      refuse('listAnnotations', 'server_error')
      await client.get(annotations)
      await client.get(annotations)
    },
  },
  {
    name: 'repeats a read whose response was cut',
    async run({ simulator, client, annotations }) {
      simulator.faults.add({
        operation: 'listAnnotations',
        when: { times: 1 },
        effect: { cut_bytes: 30 },
      })
      await client.get(annotations)
      await client.get(annotations)
    },
  },
  {
    name: 'waits as long as a 429 says, with requests that were under way',
    async run({ client, annotations, refuse, wait }) {
      refuse('retrieveAnnotation', 'throttled', 3, { retry_after_s: 10 })
      await Promise.all([1, 2, 3].map((id) => client.get(`${annotations}${id}/`)))
      wait(10)
      for (const id of [1, 2, 3]) await client.get(`${annotations}${id}/`)
    },
  },
  {
    name: 'takes the id of a project from the list of projects',
    async run({ client }) {
      const { body } = await client.get('/api/projects/')
      await client.get(`/api/projects/${body.results[0].id}/annotations/`)
      await client.get('/api/projects/@current/annotations/')
    },
  },
]
