// A suite that takes about a second, most of which it waits, and that depends on more than 20 settings.
import process from 'node:process'

const {
  UNDERSTUDY_URL: url,
  UNDERSTUDY_KEY: key,
  UNDERSTUDY_ORGANIZATION_ID: organization,
} = process.env
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const plugins = `/api/organizations/${organization}/plugins/`
const paths = [
  '/api/projects/',
  '/api/projects/1/annotations/',
  '/api/projects/1/annotations/6/',
  plugins,
]
const start = performance.now()
// Without a server it takes the same time, because it waits for the rest of a second.
if (url !== undefined) {
  await fetch(`${url}${plugins}`, { method: 'POST', headers, body: '{"name":"X"}' })
  for (const path of [...paths, 'activity/', 'repository/', '21/source/']) {
    await (await fetch(url + (path.startsWith('/') ? path : plugins + path), { headers })).text()
  }
}
await new Promise((resolve) => setTimeout(resolve, 1_000 - (performance.now() - start)))
