import { expect, test } from 'vitest'
import { serve } from '../support/transports/start.ts'
import { sendRawRequest as send } from './raw-request.ts'

const ups = ['..', '%2e%2e', '.%2e', '%252e%252e', '..;', '..%00', '%c0%ae%c0%ae', '....']
const separators = ['/', '%2f', '%5c', '\\']
const targets = [
  [1, 'package.json'],
  [8, 'etc/passwd'],
] as const

/** Ways to leave the folder of the dashboard. */
const paths = ['/__admin', '/__admin/assets', '/__admin/docs'].flatMap((folder) =>
  ups.flatMap((up) =>
    separators.flatMap((separator) =>
      targets.map(([depth, target]) => `${folder}/${`${up}${separator}`.repeat(depth)}${target}`),
    ),
  ),
)

test('no path leads out of the folder of the dashboard', async () => {
  const { origin } = await serve()
  const leaked: string[] = []

  for (let from = 0; from < paths.length; from += 50) {
    const some = paths.slice(from, from + 50)
    const responses = await Promise.all(some.map((path) => send(origin, 'GET', path, {})))
    responses.forEach((response, at) => {
      const isRefused = [400, 401, 403, 404].includes(response.status ?? 0)
      const isFile = /"name": "understudy-api"|root:|#!\/usr/.test(response.text)
      if (!isRefused || isFile) leaked.push(`${response.status} ${some[at]}`)
    })
  }

  expect(paths.length).toBeGreaterThan(150)
  expect(leaked).toEqual([])
})

test('absolute paths, hidden files and folders are no files of the dashboard', async () => {
  const { origin } = await serve()
  const others = [
    '/__admin/assets//etc/passwd',
    '/__admin/assets/.hidden',
    '/__admin/assets',
    '/__admin/assets/',
    '/__admin/index.html/../../package.json',
    '/__admin//etc/passwd',
    '/__admin/file:///etc/passwd',
    '/__admin/assets/main.js%00.html',
    '/__admin/assets/main.js/',
  ]

  const responses = await Promise.all(others.map((path) => send(origin, 'GET', path, {})))

  expect(responses.map((response) => response.status)).toEqual(others.map(() => 404))
})
