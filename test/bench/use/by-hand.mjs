// What a team writes for its own tests: three handlers, and the rows in a Map or in @mswjs/data.
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'

const url = 'https://api.example.com/api/projects/:project/annotations/'

/** @param openRows makes the rows of one test: `all`, `add` and `change` */
export function serveByHand(openRows) {
  let rows = openRows()
  const server = setupServer(
    http.get(url, () => {
      const results = rows.all()
      return HttpResponse.json({ count: results.length, next: null, previous: null, results })
    }),
    http.post(url, async ({ request }) =>
      HttpResponse.json(rows.add(await request.json()), { status: 201 }),
    ),
    http.patch(`${url}:id/`, async ({ params, request }) =>
      HttpResponse.json(rows.change(Number(params.id), await request.json())),
    ),
  )
  beforeAll(() => server.listen())
  afterEach(() => {
    rows = openRows()
  })
  afterAll(() => server.close())
}
