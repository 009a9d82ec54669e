import { annotationsPath } from '../support/api/paths.ts'
import { type Clients, WrittenClient } from './written-clients.ts'

const annotations = annotationsPath
const shortList = '/api/projects/2/annotations/'
const launch = { content: 'Launch', scope: 'project' }

/** Clients without a mistake. Most are by an author who had read the document of the API, and not the rules. */
export const goodClients: Clients = {
  async 'reads all pages by next'({ client, seed }) {
    seed(20)
    await client.all(`${annotations}?limit=5`)
  },
  async 'turns the pages of a table forth and back'({ client, seed }) {
    seed(30)
    for (const page of [0, 1, 2, 1, 0])
      await client.get(`${annotations}?limit=10&offset=${page * 10}`)
  },
  async 'lowers its offset by what it has deleted itself'({ client, seed }) {
    seed(20)
    const { body } = await client.get(`${annotations}?limit=10&offset=0`)
    await client.patch(`${annotations}${body.results[0].id}/`, { deleted: true })
    await client.get(`${annotations}?limit=10&offset=9`)
    await client.get(`${annotations}?limit=10&offset=19`)
  },
  async 'looks after a lost request, finds nothing, and creates again'({ client, loseRequest }) {
    loseRequest('createAnnotation')
    await client.post(annotations, launch)
    const rows = await client.all(annotations)
    if (!rows.some(({ content }) => content === 'Launch')) await client.post(annotations, launch)
  },
  async 'creates a note again that it has deleted'({ client }) {
    const { body } = await client.post(annotations, launch)
    await client.patch(`${annotations}${body.id}/`, { deleted: true })
    await client.post(annotations, launch)
  },
  async 'creates notes without a time as often as it is asked to'({ client }) {
    for (let count = 0; count < 3; count++) await client.post(annotations, launch)
  },
  async 'moves a time by seconds, with the offset of UTC'({ client }) {
    await client.patch(`${annotations}1/`, { date_marker: '2024-06-03T09:00:37+00:00' })
  },
  async 'creates a note again that it has renamed'({ client }) {
    const note = { ...launch, date_marker: '2024-05-01T09:00:00Z' }
    const { body } = await client.post(annotations, note)
    await client.patch(`${annotations}${body.id}/`, { content: 'Launch of May' })
    await client.post(annotations, note)
  },
  async 'repeats a page that failed'({ client, refuse, seed }) {
    seed(6)
    await client.get(`${annotations}?limit=2&offset=0`)
    refuse('listAnnotations', { status: 503 })
    await client.get(`${annotations}?limit=2&offset=2`)
    await client.get(`${annotations}?limit=2&offset=2`)
    await client.get(`${annotations}?limit=2&offset=4`)
  },
  async 'clears its search on the second page of a list that it had begun'({ client, seed }) {
    seed(8)
    await client.get(`${annotations}?limit=2`)
    await client.get(`${annotations}?search=release&limit=2`)
    await client.get(`${annotations}?limit=2&offset=2`)
  },
  async 'polls each second, and saves twice at once without a contradiction'({ client, wait }) {
    for (let count = 0; count < 30; count++) {
      await client.get(annotations)
      wait(1)
    }
    const saves = [{ content: 'Launch' }, { content: 'Launch', scope: 'project' }]
    await Promise.all(saves.map((fields) => client.patch(`${annotations}1/`, fields)))
  },
  async 'restores the words of a colleague that it overwrote'({ client, colleague }) {
    await client.get(`${annotations}1/`)
    await colleague.patch(`${annotations}1/`, { content: 'Theirs' })
    await client.get(`${annotations}1/`)
    await client.patch(`${annotations}1/`, { content: 'Ours' })
    await client.patch(`${annotations}1/`, { content: 'Theirs' })
  },
  async 'deletes what is old each night, also what it has deleted before'({ client }) {
    for (let night = 0; night < 6; night++)
      for (const id of [1, 2]) await client.patch(`${annotations}${id}/`, { deleted: true })
  },
  async 'corrects what was refused'({ client }) {
    await client.post(annotations, { ...launch, scope: 'nonsense' })
    await client.post(annotations, launch)
  },
  async 'tries out what is refused, and looks at nothing else'({ client, simulator }) {
    for (const scope of ['', 'nonsense']) await client.post(annotations, { ...launch, scope })
    for (const authorization of ['phx_all', 'Token phx_all', 'Bearer phx_none'])
      await simulator.fetch(annotations, { headers: { authorization } })
  },
  async 'writes with another key when its own lacks the scope'({ simulator, client }) {
    const reader = new WrittenClient(simulator, 'phx_annotation_read')
    await reader.get(annotations)
    if ((await reader.post(annotations, launch)).status === 403)
      await client.post(annotations, launch)
  },
  async 'lets a user choose how many rows a page has'({ client, seed }) {
    seed(60)
    for (const limit of [10, 25, 50]) await client.get(`${annotations}?limit=${limit}`)
  },
  async 'counts the rows, and wants a page far beyond the end to be empty'({ client }) {
    await client.get(`${annotations}?limit=1`)
    await client.get(`${annotations}?offset=1000000`)
  },
  async 'stops at a page that failed'({ client, refuse, seed }) {
    seed(60)
    const { body } = await client.get(`${annotations}?limit=50`)
    refuse('listAnnotations', { status: 503 })
    await client.get(body.next)
  },
  async 'goes round caches'({ client }) {
    await client.get(`${annotations}?_=1718870400000`)
  },
  async 'wants refusals, and verifies them by their status'({ simulator, client }) {
    await client.get(annotations)
    await client.post(annotations, { scope: 'nonsense' })
    await client.delete(`${annotations}1/`)
    simulator.journal.verify({ status: 400, count: 1 })
    simulator.journal.verify({ status: '4xx' })
  },
  async 'deletes the first page of a search, and looks what is left'({ client, seed }) {
    seed(6)
    const { body } = await client.get(`${annotations}?search=release&limit=3`)
    for (const { id } of body.results) await client.patch(`${annotations}${id}/`, { deleted: true })
    await client.all(annotations)
  },
  async 'saves a time as another time, with another offset, or as the same without one'({
    client,
  }) {
    await client.patch(`${annotations}1/`, { date_marker: '2024-06-03T09:00:00' })
    await client.patch(`${annotations}1/`, { date_marker: '2024-05-01T09:00:00+02:00' })
  },
  async 'shows the error of a fault'({ client, refuse }) {
    await client.get(annotations)
    refuse('createAnnotation', { error: 'permission_denied' })
    await client.post(annotations, launch)
  },
  async 'removes rows that may be gone already'({ client }) {
    await client.get(annotations)
    await client.delete('/api/organizations/@current/plugins/999/')
    await client.patch(`${annotations}999/`, { deleted: true })
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
    refuse('retrieveAnnotation', { error: 'throttled', retry_after_s: 10 }, 3)
    await Promise.all([1, 2, 3].map((id) => client.get(`${annotations}${id}/`)))
    wait(10)
    for (const id of [1, 2, 3]) await client.get(`${annotations}${id}/`)
  },
  async 'sends a row again that a gateway refused, with a counter and another form of its time'({
    client,
    refuse,
  }) {
    const time = '2024-09-07T08:00:00Z'
    await client.post(annotations, { ...launch, content: 'Other' })
    refuse('createAnnotation', { status: 503 })
    await client.post(annotations, { ...launch, date_marker: time })
    const again = { ...launch, content: 'Launch ', date_marker: new Date(time).toISOString() }
    await client.post(annotations, again)
    await client.post(annotations, { ...launch, content: 'Last' })
  },
  async 'imports rows, and sends those again at the end that were refused'({ client, refuse }) {
    const rows = [1, 2, 3, 4].map((number) => ({ ...launch, content: `Guest ${number}` }))
    const failed = []
    for (const row of rows) {
      if (row.content === 'Guest 2') refuse('createAnnotation', { status: 503 })
      if ((await client.post(annotations, row)).status !== 201) failed.push(row)
    }
    for (const row of failed) await client.post(annotations, row)
  },
  async 'creates notes of one text at several times, of which the first one was lost'({
    client,
    loseResponse,
  }) {
    loseResponse('createAnnotation')
    for (const day of [1, 2, 3])
      await client.post(annotations, { ...launch, date_marker: `2024-05-0${day}T09:00:00Z` })
  },
  async 'looks for a lost row, finds it, and changes it'({ client, loseResponse }) {
    loseResponse('createAnnotation')
    await client.post(annotations, launch)
    const rows = await client.all(annotations)
    const { id } = rows.find(({ content }) => content === 'Launch')
    await client.patch(`${annotations}${id}/`, { content: 'Launch of May' })
    await client.post(annotations, launch)
  },
  async 'takes back the second row of a retry'({ client, loseResponse }) {
    loseResponse('createAnnotation')
    await client.post(annotations, launch)
    const { body } = await client.post(annotations, launch)
    await client.patch(`${annotations}${body.id}/`, { deleted: true })
  },
  async 'corrects the text that was refused'({ client }) {
    await client.get(annotations)
    await client.post(annotations, { ...launch, content: 'x'.repeat(8_193) })
    await client.post(annotations, { ...launch, content: 'x' })
  },
  async 'corrects a text and a time, one after the other or at once'({ client }) {
    const [long, time] = ['x'.repeat(8_193), '2024-05-01']
    const tries = [long, 'Fair', 'Fair', long, 'x'].map((content, at) => ({
      ...launch,
      ...{ content, date_marker: at === 2 || at === 4 ? time : 'soon' },
    }))
    for (const row of tries) await client.post(annotations, row)
  },
  async 'goes on with a new key and another text, or in the project of its key'({ simulator }) {
    const send = (key: string, path: string, content: string) =>
      new WrittenClient(simulator, key).post(path, { ...launch, content })
    await send('phx_former', annotations, 'Fair')
    await send('phx_all', annotations, 'Fair in May')
    await send('phx_project_1', '/api/projects/2/annotations/', 'Launch')
    await send('phx_project_1', annotations, 'Launch')
  },
  async 'saves a row again whose request was lost'({ client, loseRequest }) {
    loseRequest('updateAnnotation')
    for (let count = 0; count < 2; count++) await client.patch(`${annotations}1/`, launch)
  },
  async 'saves a row again that a rate limit refused, after another one'({ client, refuse, wait }) {
    refuse('updateAnnotation', { error: 'throttled', retry_after_s: 5 })
    await client.patch(`${annotations}1/`, launch)
    await client.patch(`${annotations}2/`, launch)
    wait(5)
    await client.patch(`${annotations}1/`, launch)
  },
  async 'saves one time in two forms at once'({ client }) {
    const times = ['2024-05-01T09:00:00Z', '2024-05-01T11:00:00.000+02:00']
    await Promise.all(times.map((date_marker) => client.patch(`${annotations}1/`, { date_marker })))
  },
  async 'restores a row that a colleague has deleted, and changes it'({ client, colleague }) {
    await colleague.patch(`${annotations}1/`, { deleted: true })
    await client.patch(`${annotations}1/`, { deleted: false })
    await client.patch(`${annotations}1/`, launch)
  },
  async 'restores and changes a row that a list lacked'({ client, colleague }) {
    await client.get(shortList)
    await colleague.patch(`${shortList}7/`, { deleted: true })
    await client.get(shortList)
    await client.patch(`${shortList}7/`, { ...launch, deleted: false })
  },
  async 'waits until the date that a gateway names'({ client, refuse, wait }) {
    const headers = { 'retry-after': 'Sat, 15 Jun 2024 12:01:00 GMT' }
    refuse('listAnnotations', { status: 503, headers })
    await client.get(annotations)
    wait(60)
    await client.get(annotations)
  },
}
