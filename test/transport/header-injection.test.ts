import { expect, test } from 'vitest'
import { sendRawRequest as send } from '../server/raw-request.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { serve } from '../support/transports/start.ts'

const lineBreaks = ['%0d%0a', '%0a', '%0d', '%e5%98%8a%e5%98%8d']

test.each(lineBreaks)('%s in a URL adds no header to a response', async (lineBreak) => {
  const { origin } = await serve()
  const injected = `${lineBreak}x-injected:%20yes${lineBreak}${lineBreak}<script>`
  const paths = [
    `/api/projects/1/annotation/${injected}`,
    `/api/${injected}/`,
    `${annotationsPath}?limit=1&search=a&x=${injected}`,
    `${annotationsPath}1${injected}`,
    `/__admin?${injected}`,
    `/__admin/${injected}`,
    `/__admin/docs?${injected}`,
    `/${injected}`,
  ]

  for (const path of paths) {
    const response = await send(origin, 'GET', path, { authorization: 'Bearer phx_all' })
    expect.soft(response.headers, path).not.toHaveProperty('x-injected')
    expect.soft(Object.values(response.headers).join(), path).not.toMatch(/[\r\n]|<script>/)
  }
})
