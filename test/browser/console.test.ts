import { expect } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { serveOffline } from './offline.ts'

withChromium('the console has a line for each request, with the reason of a refusal', async () => {
  const { open, url } = await serveOffline()
  const { ask, lines } = await open(url, { quiet: false, baseUrl: 'https://app.example.com' })

  await ask('GET', `${annotationsPath}?search=50%25&limit=1`)
  await ask('PATCH', `${annotationsPath}2/`, { deleted: 'maybe' })
  await ask('POST', annotationsPath, { content: 'Typo', scop: 'project' })
  await ask('GET', '/api/projects/1/annotation/')

  await expect
    .poll(() => lines)
    .toEqual([
      `info: [Understudy] 200 GET ${annotationsPath}?search=50%25&limit=1, key "all"`,
      `warning: [Understudy] 400 PATCH ${annotationsPath}2/, key "all" – body.deleted: Must be a valid boolean`,
      `info: [Understudy] 201 POST ${annotationsPath}, key "all" – ignored: body.scop, did you mean scope?`,
      'warning: [Understudy] 404 GET /api/projects/1/annotation/, key "all" – no operation has the path `/api/projects/1/annotation/` (nearest: GET /api/projects/:project_id/annotations; segment 4: expected annotations, got annotation)',
    ])
})

withChromium('the first request that is refused for its key has a line about keys', async () => {
  const { open, url } = await serveOffline()
  const { page, lines } = await open(url, { quiet: false })

  await page.evaluate(async (path) => {
    const headers = { authorization: 'Bearer phx_own' }
    await fetch(`https://app.example.com${path}`, { headers })
    await fetch(`https://app.example.com${path}`)
  }, annotationsPath)

  await expect
    .poll(() => lines)
    .toEqual([
      `warning: [Understudy] 401 GET ${annotationsPath}, key "phx_…" – no key matches phx…`,
      'info: [Understudy] simulator.keys.list() has the keys of the world, and simulator.keys.issue({ value: … }) accepts the key of your page.',
      `warning: [Understudy] 401 GET ${annotationsPath}, no key – the request has no Authorization header`,
    ])
})

withChromium('a path that the API lacks has a hint, on the origin of the page, too', async () => {
  const { open, url } = await serveOffline()
  const { page, said, errors } = await open(url, { quiet: false })
  await said()

  await page.evaluate(() => fetch('/v1/projects/1/annotations/'))

  await expect
    .poll(() => errors.filter((text) => text.includes('simulator')))
    .toEqual([
      `The simulator has no operation at ${url}v1/projects/1/annotations/. Did you mean /api/projects/1/annotations/?`,
    ])
})

withChromium(
  'a mistake of the page is a warning, soon after it has happened, and a note a line',
  async () => {
    const { open, url } = await serveOffline()
    const { ask, lines } = await open(url, { quiet: true })

    await ask('GET', annotationsPath)
    await ask('DELETE', `${annotationsPath}1/`)
    for (const id of [2, 3]) await ask('PUT', `${annotationsPath}${id}/`)

    await expect
      .poll(() => lines)
      .toEqual([
        `warning: [Understudy] swallowed-delete: Annotation 1 was not deleted, and the client has not deleted it with PATCH so far. Send PATCH with {"deleted": true}. Annotations are never deleted for good. (entry 2: 405 DELETE ${annotationsPath}1/)`,
        `info: [Understudy] note unhandled-refusal: PUT was refused, and not made good so far. It got 405: this path has no PUT, only GET, PATCH. Look at the status of each response. Correct the request, and send it again. If the refusal is wanted, verify it: { status: 405 } in journal.verify, toHaveReceived or POST /__admin/verify. (entry 4: 405 PUT ${annotationsPath}3/)`,
      ])
  },
)
