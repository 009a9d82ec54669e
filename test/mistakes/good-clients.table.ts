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
  async 'shows the latest five'({ client, seed }) {
    seed(20)
    await client.get(`${annotations}?limit=5`)
  },
  async 'turns the pages of a table forth and back'({ client, seed }) {
    seed(30)
    for (const page of [0, 1, 2, 1, 0])
      await client.get(`${annotations}?limit=10&offset=${page * 10}`)
  },
  async 'changes the rows per page of a table'({ client, seed }) {
    seed(60)
    for (const limit of [10, 25, 50]) await client.get(`${annotations}?limit=${limit}&offset=0`)
  },
  async 'lowers its offset by what it has deleted itself'({ client, seed }) {
    seed(20)
    const { body } = await client.get(`${annotations}?limit=10&offset=0`)
    await client.patch(`${annotations}${body.results[0].id}/`, { deleted: true })
    await client.get(`${annotations}?limit=10&offset=9`)
    await client.get(`${annotations}?limit=10&offset=19`)
  },
  async 'asks for all rows by a large limit'({ client, seed }) {
    seed(1200)
    await client.get(`${annotations}?limit=10000`)
  },
  // Creates.
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
  async 'seeds two equal rows, one after the other'({ client }) {
    await client.post(annotations, launch)
    await client.post(annotations, launch)
  },
  async 'creates a note again that it has deleted'({ client }) {
    const { body } = await client.post(annotations, launch)
    await client.patch(`${annotations}${body.id}/`, { deleted: true })
    await client.post(annotations, launch)
  },
  async 'deletes the second one of a note that it created twice'({ client, loseResponse }) {
    loseResponse('createAnnotation')
    await client.post(annotations, launch)
    const { body } = await client.post(annotations, launch)
    await client.patch(`${annotations}${body.id}/`, { deleted: true })
  },
  async 'deletes the second row of a double click'({ client }) {
    const sent = [client.post(annotations, launch), client.post(annotations, launch)]
    const { body } = (await Promise.all(sent))[1] as { body: { id: number } }
    await client.patch(`${annotations}${body.id}/`, { deleted: true })
  },
  // Changes.
  async 'sends a lost soft delete again'({ client, loseResponse }) {
    loseResponse('updateAnnotation')
    await client.patch(`${annotations}1/`, { deleted: true })
    await client.patch(`${annotations}1/`, { deleted: true })
  },
  async 'changes only the field that the user changed, beside a colleague'({ client, colleague }) {
    await client.get(`${annotations}1/`)
    await colleague.patch(`${annotations}1/`, { content: 'Release 1.0 (final)' })
    await client.patch(`${annotations}1/`, { date_marker: '2024-06-04T09:00:00Z' })
  },
  async 'deletes, and undoes it'({ client }) {
    await client.patch(`${annotations}1/`, { deleted: true })
    await client.patch(`${annotations}1/`, { deleted: false })
    await client.get(`${annotations}1/`)
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
  // Refusals.
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
  async 'backs off from a server that is down'({ simulator, client, wait }) {
    simulator.faults.add({ when: { times: 3 }, effect: { error: 'server_error' } })
    for (const seconds of [1, 2, 4]) {
      await client.get(annotations)
      wait(seconds)
    }
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
