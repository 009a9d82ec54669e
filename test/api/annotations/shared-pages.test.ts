import { expect, test } from 'vitest'
import type { Annotation } from '../../../src/world/entities/annotation.ts'
import { authorization } from '../../support/api/headers.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { createRandom } from '../../support/random.ts'
import { serve } from '../../support/transports/start.ts'

const texts = ['Release', 'Überraschung', 'リリース', '🚀 "quoted" \\ \n', '\ud800']
const headers = authorization()
const scopes = ['project', 'dashboard_item', 'organization']

interface AnnotationPage {
  readonly results: readonly Annotation[]
}

/** Without the addresses of users, which journals mask. */
function textsOf(page: unknown) {
  const { results } = page as AnnotationPage
  return results.map(({ id, content, created_by }) => [id, content, created_by?.first_name])
}

test.each([
  ['some of them of the organization', scopes],
  ['all of one project', scopes.slice(0, 2)],
])(
  'pages of many rows, %s, show each write, and the journal keeps what was sent',
  async (_, allowed) => {
    const random = createRandom(allowed.length)
    const { ask, simulator } = await serve({ world: 'empty', journal: { entries: 5_000 } })
    const fork = simulator.fork()
    const newRow = () => ({
      content: random.pick(texts),
      scope: random.pick(allowed),
      created_by: 1,
    })
    const all = Array.from({ length: 400 }, newRow)
    for (const { world } of [simulator, fork]) world.add({ annotations: all as never })
    const sent: unknown[] = []

    for (let step = 0; step < 40; step++) {
      const { world } = random.pick([simulator, simulator, fork])
      const { id } = random.pick(world.annotations.list())
      if (step % 10 === 9) world.users.update(1, { first_name: `Ada ${step}` })
      else if (step % 3 === 0) world.annotations.update(id, newRow() as never)
      else if (step % 7 === 0) world.annotations.delete(id)
      else world.annotations.add(newRow() as never)
      const limit = random.pick([1, 7, 60, 100])
      const page = `${annotationsPath}?limit=${limit}&offset=${random.below(400)}`
      const { body } = await ask('GET', page)
      const rows = (body as AnnotationPage).results
      for (const row of [...rows.slice(0, 1), ...rows.slice(-1)]) {
        const single = await simulator.fetch(`${annotationsPath}${row.id}/`, { headers })
        expect(row).toEqual(await single.json())
      }
      sent.push(textsOf(body))
      expect((await fork.fetch(page, { headers })).status).toBe(200)
    }

    const long = `${annotationsPath}?limit=300`
    const overHttp = (await ask('GET', long)).body as AnnotationPage
    const inProcess = await (await simulator.fetch(long, { headers })).json()
    expect(inProcess.results).toHaveLength(300)
    expect(inProcess.results).toEqual(overHttp.results)
    // Last, since it takes longer than a server keeps an idle connection.
    const kept = simulator.journal.find({ operation: 'listAnnotations' }).slice(0, sent.length)
    expect(kept.map(({ response }) => textsOf(response.body))).toEqual(sent)
  },
)
