import { acme, annotationsPath } from '../support/api/paths.ts'
import { type Clients, WrittenClient } from './written-clients.ts'

const annotations = annotationsPath
const plugins = `/api/organizations/${acme}/plugins/`
const launch = { content: 'Launch', scope: 'project' }

/**
 * Clients with a mistake by the rules that name it, or by none if a client without a mistake sends the same requests.
 * Most are by an author who had read the document of the API, and not the rules.
 */
export const badClients: Readonly<Record<string, Clients>> = {
  'repeated-create': {
    async 'creates again as soon as the response is lost'({ client, loseResponse }) {
      loseResponse('createAnnotation')
      await client.post(annotations, launch)
      await client.post(annotations, launch)
    },
    async 'gives up after its own timeout and creates again'({ client, loseResponse }) {
      loseResponse('createAnnotation', { delay_ms: 200 })
      await client.post(annotations, launch, AbortSignal.timeout(20))
      await client.post(annotations, launch)
    },
    async 'cannot parse half a response and creates again'({ client, loseResponse }) {
      loseResponse('createAnnotation', { cut_bytes: 20 })
      await client.post(annotations, launch)
      await client.post(annotations, launch)
    },
    async 'retries a create three times'({ client, wait, loseResponse }) {
      loseResponse('createAnnotation', { drop: true }, 3)
      for (const seconds of [1, 2, 4, 0]) {
        await client.post(annotations, launch)
        wait(seconds)
      }
    },
    async 'looks at the newest row only, and creates again'({ client, loseResponse }) {
      loseResponse('createAnnotation')
      const note = { ...launch, date_marker: '2020-01-01T00:00:00Z' }
      await client.post(annotations, note)
      const { body } = await client.get(`${annotations}?limit=1`)
      if (body.results[0].content !== 'Launch') await client.post(annotations, note)
    },
    async 'searches for something else, and creates again'({ client, loseResponse }) {
      loseResponse('createAnnotation')
      await client.post(annotations, launch)
      const { body } = await client.get(`${annotations}?search=lanuch`)
      if (body.count === 0) await client.post(annotations, launch)
    },
    async 'looks at the first plugin only, and creates again'({ client, loseResponse }) {
      loseResponse('createPlugin')
      await client.post(plugins, { plugin_type: 'source', name: 'Mailer' })
      await client.get(`${plugins}?limit=1`)
      await client.post(plugins, { plugin_type: 'source', name: 'Mailer' })
    },
  },
  'duplicate-row': {
    async 'opens a row, and creates it again'({ client, wait }) {
      const { body } = await client.post(annotations, launch)
      wait(300)
      await client.get(`${annotations}${body.id}/`)
      await client.post(annotations, launch)
    },
    async 'looks, sees its row in the list, and creates again all the same'({
      client,
      loseResponse,
    }) {
      loseResponse('createAnnotation')
      await client.post(annotations, launch)
      await client.get(annotations)
      await client.post(annotations, launch)
    },
    async 'installs a plugin that the list has just shown'({ client }) {
      await client.post(plugins, { plugin_type: 'source', name: 'Mailer', tag: '1.0' })
      await client.get(plugins)
      await client.post(plugins, { plugin_type: 'source', name: 'Mailer', tag: '1.0' })
    },
    async 'submits a form twice before the first response is there'({ client }) {
      await Promise.all([client.post(annotations, launch), client.post(annotations, launch)])
    },
  },
  'repeated-create, unread-pages': {
    async 'looks at one page of a thousand older rows, and creates again'({
      client,
      loseResponse,
      seed,
    }) {
      seed(1100)
      loseResponse('createAnnotation')
      const old = { ...launch, date_marker: '2021-01-01T00:00:00Z' }
      await client.post(annotations, old)
      await client.get(annotations)
      await client.post(annotations, old)
    },
  },
  'swallowed-delete': {
    async 'deletes an annotation by DELETE, and goes on'({ client }) {
      await client.delete(`${annotations}1/`)
      await client.get(annotations)
    },
  },
  none: {
    async 'opens an annotation that it has deleted itself'({ client }) {
      await client.get(annotations)
      await client.patch(`${annotations}1/`, { deleted: true })
      await client.get(`${annotations}1/`)
    },
    async 'copies a deleted row with its flag, so that the copy is never seen'({ client }) {
      const { body } = await client.patch(`${annotations}1/`, { deleted: true })
      const { content, date_marker, deleted } = body
      await client.post(annotations, { content, date_marker, deleted, scope: 'project' })
    },
  },
  'ignored-input': {
    async 'removes by ?deleted=true'({ client }) {
      await client.patch(`${annotations}1/?deleted=true`, {})
    },
    async 'asks for a limit of 0, meaning all'({ client }) {
      await client.get(`${annotations}?limit=0`)
    },
    async 'misspells a field'({ client }) {
      await client.post(annotations, { contents: 'Launch' })
    },
    async 'changes the address of a plugin, which only responses have'({ client }) {
      await client.patch(`${plugins}23/`, { url: 'https://github.com/acme/notifier' })
    },
  },
  'refused-put': {
    async 'saves a form by PUT'({ client }) {
      await client.send('PUT', `${annotations}1/`, launch)
    },
  },
  'stale-row': {
    async 'deletes a plugin twice'({ client }) {
      await client.delete(`${plugins}23/`)
      await client.delete(`${plugins}23/`)
    },
    async 'deletes an annotation twice'({ client }) {
      await client.patch(`${annotations}1/`, { deleted: true })
      await client.patch(`${annotations}1/`, { deleted: true })
    },
    async 'polls a row that it has deleted'({ client, wait }) {
      await client.patch(`${annotations}1/`, { deleted: true })
      for (let count = 0; count < 5; count++) {
        await client.get(`${annotations}1/`)
        wait(10)
      }
    },
    async 'updates a plugin that it has removed'({ client }) {
      await client.delete(`${plugins}23/`)
      await client.patch(`${plugins}23/`, { name: 'Notifier' })
    },
  },
  'repeated-refusal': {
    async 'asks for a row that is not there again and again'({ client }) {
      for (let count = 0; count < 10; count++) await client.get(`${annotations}999/`)
    },
    async 'repeats a refused create as it is'({ client }) {
      for (let count = 0; count < 3; count++)
        await client.post(annotations, { ...launch, scope: 'nonsense' })
    },
    async 'repeats a refused create while a colleague reads'({ client, colleague }) {
      for (let count = 0; count < 3; count++) {
        await client.post(annotations, { ...launch, scope: 'nonsense' })
        await colleague.get(annotations)
      }
    },
    async 'goes on with a key that was refused'({ simulator }) {
      const stranger = new WrittenClient(simulator, 'phx_revoked')
      for (let count = 0; count < 4; count++) await stranger.get(annotations)
    },
  },
  'unread-pages': {
    async 'shows the first page as if it were all, without a limit'({ client, seed }) {
      seed(1200)
      await client.get(annotations)
    },
    async 'thinks that a limit of 100 is enough'({ client, seed }) {
      seed(150)
      await client.get(`${annotations}?limit=100`)
    },
    async 'thinks that a limit of 1,000 is enough'({ client, seed }) {
      seed(1500)
      await client.get(`${annotations}?limit=1000`)
    },
    async 'shows the first page of plugins as if it were all'({ client, seedPlugins }) {
      seedPlugins(150)
      await client.get(plugins)
    },
  },
  'repeated-row': {
    async 'adds one to the offset for each page'({ client }) {
      for (let offset = 0; offset < 4; offset++)
        await client.get(`${annotations}?limit=3&offset=${offset}`)
    },
  },
  'skipped-row': {
    async 'deletes what it reads, and goes on with the next offset'({ client, seed }) {
      seed(6)
      for (let offset = 0; ; offset += 4) {
        const { body } = await client.get(`${annotations}?limit=4&offset=${offset}`)
        if (body.results.length === 0) break
        for (const { id } of body.results)
          await client.patch(`${annotations}${id}/`, { deleted: true })
      }
    },
    async 'deletes plugins while it pages through them'({ client, seedPlugins }) {
      seedPlugins(6)
      const { body } = await client.get(`${plugins}?limit=5`)
      await client.delete(`${plugins}${body.results[4].id}/`)
      await client.get(body.next)
    },
    async 'reads on in pages of 1,000 while a colleague deletes'({ client, colleague, seed }) {
      seed(2500)
      const { body } = await client.get(annotations)
      await colleague.patch(`${annotations}${body.results[0].id}/`, { deleted: true })
      await client.all(body.next)
    },
  },
  'local-time': {
    async 'sends a time without an offset'({ client }) {
      await client.post(annotations, { ...launch, date_marker: '2024-06-20T11:00:00.123' })
    },
  },
  'undone-change': {
    async 'saves the whole form over the change of a colleague'({ client, colleague }) {
      const { body } = await client.get(`${annotations}1/`)
      await colleague.patch(`${annotations}1/`, { content: 'Release 1.0 (final)' })
      await client.patch(`${annotations}1/`, {
        content: body.content,
        date_marker: '2024-06-04T09:00:00Z',
      })
    },
  },
  'early-retry': {
    async 'ignores how long a 429 says to wait'({ client, refuse }) {
      refuse('listAnnotations', 'throttled', 1, { retry_after_s: 10 })
      await client.get(annotations)
      await client.get(annotations)
    },
    async 'sends other requests before the wait of a 429 is over'({ simulator, client, wait }) {
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
  'endless-retry': {
    async 'retries a server that is down ten times without a pause'({ simulator, client }) {
      simulator.faults.add({ preset: 'outage' })
      for (let count = 0; count < 10; count++) await client.get(annotations)
    },
  },
}
