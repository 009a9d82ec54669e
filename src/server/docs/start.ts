import type { KeyRow } from '../../world/rows.ts'

interface SwaggerUI {
  preauthorizeApiKey(scheme: string, key: string): void
}

declare const SwaggerUIBundle: (options: object) => SwaggerUI

// A proxy may serve everything below a path prefix.
const server = new URL('../..', location.href).href

const isControl = location.search === '?of=admin'
const token = sessionStorage.getItem('understudy-token')

const ui = SwaggerUIBundle({
  dom_id: '#docs',
  url: `${server}${isControl ? '__admin/' : ''}openapi.json`,
  // It would send the document to a server of Swagger.
  validatorUrl: null,
  tryItOutEnabled: true,
  deepLinking: true,
  onComplete: isControl ? useToken : useFirstKey,
})

function useToken() {
  if (token !== null) ui.preauthorizeApiKey('token', token)
}

/** Requests have the first key of the world, unless the server has a token that this tab does not know. */
async function useFirstKey() {
  const response = await fetch(`${server}__admin/keys`, {
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  })
  const [key]: KeyRow[] = response.ok ? await response.json() : []
  if (key) ui.preauthorizeApiKey('personalApiKey', key.value)
}
