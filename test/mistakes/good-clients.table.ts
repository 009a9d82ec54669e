import { acme, annotationsPath } from '../support/api/paths.ts'
import { type Clients, WrittenClient } from './written-clients.ts'

const annotations = annotationsPath
const plugins = `/api/organizations/${acme}/plugins/`
const launch = { content: 'Launch', scope: 'project' }
const mailer = { plugin_type: 'source', name: 'Mailer' }

/** Clients without a mistake. Most are by an author who had read the document of the API, and not the rules. */
export const goodClients: Clients = {
  // Lists.
  async 'sends PATCH where PUT is refused'({ client }) {
    await client.send('PUT', `${annotations}1/`, launch)
    await client.patch(`${annotations}1/`, launch)
  },
  async 'reads all pages by next'({ client, seed }) {
    seed(20)
    await client.all(`${annotations}?limit=5`)
  },
  async 'reads 2,500 rows by next in pages of 1,000'({ client, seed }) {
    seed(2500)
    await client.all(annotations)
  },
  async 'reads pages by offset until one is empty'({ client, seed }) {
    seed(20)
    for (let offset = 0; ; offset += 10) {
      const { body } = await client.get(`${annotations}?limit=10&offset=${offset}`)
      if (body.results.length === 0) break
    }
  },
  async 'reads pages by offset until count is reached'({ client, seed }) {
    seed(20)
    for (let offset = 0, count = 1; offset < count; offset += 10)
      count = (await client.get(`${annotations}?limit=10&offset=${offset}`)).body.count
  },
  async 'reads the first page, and all others at the same time'({ client, seed }) {
    seed(30)
    const { body } = await client.get(`${annotations}?limit=10`)
    const offsets = Array.from({ length: Math.ceil(body.count / 10) - 1 }, (_, i) => (i + 1) * 10)
    await Promise.all(
      offsets.map((offset) => client.get(`${annotations}?limit=10&offset=${offset}`)),
    )
  },
  async 'shows the latest five'({ client, seed }) {
    seed(20)
    await client.get(`${annotations}?limit=5`)
  },
  async 'asks for one row, because it needs the count'({ client, seed }) {
    seed(200)
    await client.get(`${annotations}?limit=1`)
  },
  async 'turns the pages of a table forth and back'({ client, seed }) {
    seed(30)
    for (const page of [0, 1, 2, 1, 0])
      await client.get(`${annotations}?limit=10&offset=${page * 10}`)
  },
  async 'jumps to the third page of a table'({ client, seed }) {
    seed(60)
    for (const page of [0, 3]) await client.get(`${annotations}?limit=10&offset=${page * 10}`)
  },
  async 'changes the rows per page of a table'({ client, seed }) {
    seed(60)
    for (const limit of [10, 25, 50]) await client.get(`${annotations}?limit=${limit}&offset=0`)
  },
  async 'reads the first page again after its own create'({ client, seed }) {
    seed(20)
    await client.get(`${annotations}?limit=10&offset=0`)
    await client.post(annotations, launch)
    await client.get(`${annotations}?limit=10&offset=0`)
    await client.get(`${annotations}?limit=10&offset=10`)
  },
  async 'starts again when the count has changed between pages'({ client, colleague, seed }) {
    seed(20)
    const { body } = await client.get(`${annotations}?limit=10`)
    await colleague.post(annotations, launch)
    const second = await client.get(body.next)
    if (second.body.count !== body.count) await client.all(`${annotations}?limit=10`)
  },
  async 'deletes a row of the second page and reads this page again'({ client, seed }) {
    seed(30)
    const path = `${annotations}?limit=10&offset=10`
    await client.get(`${annotations}?limit=10&offset=0`)
    const { body } = await client.get(path)
    await client.patch(`${annotations}${body.results[2].id}/`, { deleted: true })
    await client.get(path)
  },
  async 'goes back a page when it has deleted the last row of the last page'({
    simulator,
    client,
  }) {
    simulator.world.add({ annotations: [] })
    await client.get(`${annotations}?limit=5&offset=0`)
    const { body } = await client.get(`${annotations}?limit=5&offset=5`)
    for (const { id } of body.results) await client.patch(`${annotations}${id}/`, { deleted: true })
    await client.get(`${annotations}?limit=5&offset=5`)
    await client.get(`${annotations}?limit=5&offset=0`)
  },
  async 'empties a list: deletes the first page until there is none'({ client, seed }) {
    seed(12)
    for (;;) {
      const { body } = await client.get(`${annotations}?limit=5`)
      if (body.results.length === 0) break
      for (const { id } of body.results)
        await client.patch(`${annotations}${id}/`, { deleted: true })
    }
  },
  async 'reads everything, and deletes only then'({ client, seed }) {
    seed(12)
    const rows = await client.all(`${annotations}?limit=5`)
    for (const { id } of rows) await client.patch(`${annotations}${id}/`, { deleted: true })
  },
  async 'deletes in reverse, from the last page to the first'({ client, seed }) {
    seed(14)
    const { body: first } = await client.get(`${annotations}?limit=1`)
    for (let offset = Math.floor((first.count - 1) / 5) * 5; offset >= 0; offset -= 5) {
      const { body } = await client.get(`${annotations}?limit=5&offset=${offset}`)
      for (const { id } of body.results)
        await client.patch(`${annotations}${id}/`, { deleted: true })
    }
  },
  async 'lowers its offset by what it has deleted itself'({ client, seed }) {
    seed(20)
    const { body } = await client.get(`${annotations}?limit=10&offset=0`)
    await client.patch(`${annotations}${body.results[0].id}/`, { deleted: true })
    await client.get(`${annotations}?limit=10&offset=9`)
    await client.get(`${annotations}?limit=10&offset=19`)
  },
  async 'refreshes a list each half minute'({ client, wait }) {
    for (let count = 0; count < 10; count++) {
      await client.get(annotations)
      wait(30)
    }
  },
  async 'searches while the user types'({ client }) {
    for (const text of ['S', 'Sp', 'Spr', 'Spri'])
      await client.get(`${annotations}?search=${text}&limit=20`)
  },
  async 'aborts the search of before'({ simulator, client }) {
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
  async 'mounts twice, as React does in strict mode'({ client }) {
    await Promise.all([client.get(annotations), client.get(annotations)])
  },
  async 'asks for all rows by a large limit'({ client, seed }) {
    seed(1200)
    await client.get(`${annotations}?limit=10000`)
  },
  async 'pages through a list while a colleague does, too'({ client, colleague, seed }) {
    seed(10)
    for (const offset of [0, 5, 10]) {
      await client.get(`${annotations}?limit=5&offset=${offset}`)
      await colleague.get(`${annotations}?limit=5&offset=${offset + 5}`)
    }
    await client.get(`${annotations}?limit=5&offset=15`)
  },
  async 'sends a page that failed again, and reads on'({ client, seed, refuse, wait }) {
    seed(20)
    const { body } = await client.get(`${annotations}?limit=10`)
    refuse('listAnnotations', 'server_error')
    await client.get(body.next)
    wait(1)
    await client.all(body.next)
  },
  // Creates.
  async 'looks after a lost response, and finds its row'({ client, loseResponse }) {
    loseResponse('createAnnotation')
    await client.post(annotations, launch)
    await client.all(annotations)
  },
  async 'looks after a lost request, finds nothing, and creates again'({ client, loseRequest }) {
    loseRequest('createAnnotation')
    await client.post(annotations, launch)
    const rows = await client.all(annotations)
    if (!rows.some(({ content }) => content === 'Launch')) await client.post(annotations, launch)
  },
  async 'looks at three pages of 1,000 after a lost request, and creates again'({
    client,
    loseRequest,
    seed,
  }) {
    seed(2500)
    loseRequest('createAnnotation')
    await client.post(annotations, launch)
    await client.all(annotations)
    await client.post(annotations, launch)
  },
  async 'searches for its row after a lost request, and creates again'({ client, loseRequest }) {
    loseRequest('createAnnotation')
    await client.post(annotations, launch)
    const { body } = await client.get(`${annotations}?search=Launch`)
    if (body.count === 0) await client.post(annotations, launch)
  },
  async 'looks for a plugin after a lost request, and installs it'({
    client,
    loseRequest,
    seedPlugins,
  }) {
    seedPlugins(120)
    loseRequest('createPlugin')
    await client.post(plugins, mailer)
    await client.all(plugins)
    await client.post(plugins, mailer)
  },
  async 'waits after a 429, and creates again, because nothing was done'({ client, refuse, wait }) {
    refuse('createAnnotation', 'throttled', 1, { retry_after_s: 5 })
    await client.post(annotations, launch)
    wait(5)
    await client.post(annotations, launch)
  },
  async 'corrects a refused create, and sends it again'({ client }) {
    await client.post(annotations, { ...launch, scope: 'nonsense' })
    await client.post(annotations, launch)
  },
  async 'seeds two equal rows, one after the other'({ client }) {
    await client.post(annotations, launch)
    await client.post(annotations, launch)
  },
  async 'seeds ten equal rows'({ client }) {
    for (let count = 0; count < 10; count++) await client.post(annotations, launch)
  },
  async 'creates the same note on two days'({ client, wait }) {
    await client.post(annotations, { content: 'Deployed', scope: 'project' })
    wait(86_400)
    await client.get(annotations)
    await client.post(annotations, {
      content: 'Deployed',
      scope: 'project',
      date_marker: '2024-06-16T12:00:00Z',
    })
  },
  async 'creates the same note in two projects'({ client }) {
    await client.post(annotations, launch)
    await client.post('/api/projects/2/annotations/', launch)
  },
  async 'creates a note again that it has deleted'({ client }) {
    const { body } = await client.post(annotations, launch)
    await client.patch(`${annotations}${body.id}/`, { deleted: true })
    await client.post(annotations, launch)
  },
  async 'does not know that a colleague wrote the same note'({ client, colleague }) {
    await client.get(annotations)
    await colleague.post(annotations, launch)
    await client.post(annotations, launch)
  },
  async 'deletes the second one of a note that it created twice'({ client, loseResponse }) {
    loseResponse('createAnnotation')
    await client.post(annotations, launch)
    const { body } = await client.post(annotations, launch)
    await client.patch(`${annotations}${body.id}/`, { deleted: true })
  },
  // Changes.
  async 'sends a lost change again, since it changes nothing more'({ client, loseResponse }) {
    loseResponse('updateAnnotation')
    await client.patch(`${annotations}1/`, { content: 'Release 1' })
    await client.patch(`${annotations}1/`, { content: 'Release 1' })
  },
  async 'sends a lost soft delete again'({ client, loseResponse }) {
    loseResponse('updateAnnotation')
    await client.patch(`${annotations}1/`, { deleted: true })
    await client.patch(`${annotations}1/`, { deleted: true })
  },
  async 'sends a lost DELETE of a plugin again, and takes 404 for done'({ client, loseResponse }) {
    loseResponse('deletePlugin')
    await client.delete(`${plugins}23/`)
    await client.delete(`${plugins}23/`)
  },
  async 'saves a text while the user types it'({ client, wait }) {
    for (const content of ['R', 'Re', 'Rel']) {
      await client.patch(`${annotations}1/`, { content })
      wait(1)
    }
  },
  async 'changes only the field that the user changed, beside a colleague'({ client, colleague }) {
    await client.get(`${annotations}1/`)
    await colleague.patch(`${annotations}1/`, { content: 'Release 1.0 (final)' })
    await client.patch(`${annotations}1/`, { date_marker: '2024-06-04T09:00:00Z' })
  },
  async 'reads the row again before it saves, beside a colleague'({ client, colleague }) {
    await client.get(`${annotations}1/`)
    await colleague.patch(`${annotations}1/`, { content: 'Release 1.0 (final)' })
    const { body } = await client.get(`${annotations}1/`)
    await client.patch(`${annotations}1/`, { content: `${body.content}!` })
  },
  async 'deletes, and undoes it'({ client }) {
    await client.patch(`${annotations}1/`, { deleted: true })
    await client.patch(`${annotations}1/`, { deleted: false })
    await client.get(`${annotations}1/`)
  },
  async 'deletes, reads the list again, and does not see the row'({ client }) {
    await client.get(annotations)
    await client.patch(`${annotations}1/`, { deleted: true })
    await client.get(annotations)
  },
  async 'tries DELETE once, and then removes by PATCH'({ client }) {
    const { status } = await client.delete(`${annotations}1/`)
    if (status === 405) await client.patch(`${annotations}1/`, { deleted: true })
  },
  async 'makes a plugin local, and uninstalls it then'({ client }) {
    const { body } = await client.post(plugins, { ...mailer, is_global: true })
    const path = `${plugins}${body.id}/`
    if ((await client.delete(path)).status === 400) {
      await client.patch(path, { is_global: false })
      await client.delete(path)
    }
  },
  async 'edits a plugin, looks for its updates, and upgrades it'({ client }) {
    await client.get(`${plugins}21/`)
    await client.patch(`${plugins}21/`, { description: 'Writes events.' })
    await client.get(`${plugins}21/check_for_updates/`)
    await client.post(`${plugins}21/upgrade/`, {})
  },
  // Refusals.
  async 'drops a row of its cache after a 404'({ client, colleague }) {
    await client.get(annotations)
    await colleague.patch(`${annotations}1/`, { deleted: true })
    await client.get(`${annotations}1/`)
    await client.get(annotations)
  },
  async 'waits for a row that a colleague will restore'({ client, colleague, wait }) {
    for (let count = 0; count < 3; count++) {
      await client.get(`${annotations}6/`)
      wait(5)
    }
    await colleague.patch(`${annotations}6/`, { deleted: false })
    await client.get(`${annotations}6/`)
  },
  async 'asks for another key after a 401'({ simulator }) {
    await new WrittenClient(simulator, 'phx_expired').get(annotations)
    await new WrittenClient(simulator, 'phx_all').get(annotations)
  },
  async 'hides the button after a 403'({ simulator }) {
    const reader = new WrittenClient(simulator, 'phx_annotation_read')
    await reader.post(annotations, launch)
    await reader.get(annotations)
  },
  async 'opens a page with a refused key, whose four parts ask at the same time'({ simulator }) {
    const stranger = new WrittenClient(simulator, 'phx_expired')
    await Promise.all(['', '1/', '2/', '3/'].map((id) => stranger.get(annotations + id)))
  },
  async 'backs off from a server that is down'({ simulator, client, wait }) {
    simulator.faults.add({ when: { times: 3 }, effect: { error: 'server_error' } })
    for (const seconds of [1, 2, 4]) {
      await client.get(annotations)
      wait(seconds)
    }
    await client.get(annotations)
  },
  async 'repeats a read once after a 500'({ client, refuse }) {
    refuse('listAnnotations', 'server_error')
    await client.get(annotations)
    await client.get(annotations)
  },
  async 'repeats a read whose response was cut'({ simulator, client }) {
    simulator.faults.add({
      operation: 'listAnnotations',
      when: { times: 1 },
      effect: { cut_bytes: 30 },
    })
    await client.get(annotations)
    await client.get(annotations)
  },
  async 'waits as long as a 429 says, with requests that were under way'({ client, refuse, wait }) {
    refuse('retrieveAnnotation', 'throttled', 3, { retry_after_s: 10 })
    await Promise.all([1, 2, 3].map((id) => client.get(`${annotations}${id}/`)))
    wait(10)
    for (const id of [1, 2, 3]) await client.get(`${annotations}${id}/`)
  },
  async 'takes the id of a project from the list of projects'({ client }) {
    const { body } = await client.get('/api/projects/')
    await client.get(`/api/projects/${body.results[0].id}/annotations/`)
    await client.get('/api/projects/@current/annotations/')
  },
}
