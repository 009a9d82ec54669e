import { offerFixture } from '../simulator/sandboxes/offer-fixture.ts'
import type { SandboxInfo, SandboxRequest } from '../simulator/sandboxes/sandboxes.ts'
import { found, operation, unchecked } from './operation.ts'

export const sandboxOperations = {
  'GET /sandboxes': operation(
    'List the active sandboxes, the oldest first: URL, keys, projects and expiry.',
    ({ server, origin }) => server.sandboxes.list().map((info) => toServed(info, origin)),
  ),

  'POST /sandboxes': operation(
    'Create an isolated world with its own keys and URL, like the start of the server. Without ttl_s it stays until it is deleted.',
    unchecked<SandboxRequest>(),
    async ({ server: { sandboxes }, origin, body }) => {
      await offerFixture(sandboxes, body.from)
      return toServed(sandboxes.create(body), origin)
    },
  ),

  'DELETE /sandboxes/:id': operation(
    'Delete a sandbox and free its memory.',
    ({ server: { sandboxes } }, id: string) => {
      const known = () => sandboxes.list().map((info) => info.id)
      found(sandboxes.delete(id), 'id', `Sandbox ${id}`, id, known)
    },
  ),
}

/** A server can have several names. */
function toServed(info: SandboxInfo, origin: string): SandboxInfo {
  return { ...info, url: origin + new URL(info.url).pathname }
}
