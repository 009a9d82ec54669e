import type { ApiRequest } from './messages.ts'

/**
 * Adds its fields to a multipart form. An invalid form is left as it is: the service rejects it only when it reads the
 * body, after the checks that come before. Seen in the live service: a form without any part is empty.
 *
 * In a file of its own, because few pages send one.
 */
export async function parseMultipart(request: ApiRequest): Promise<void> {
  const body = request.body as Uint8Array
  const contentType = request.headers.get('content-type') ?? ''
  const form = await new Response(body as BodyInit, { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => null)
  const [, boundary] = /boundary="?([^";\s]+)/i.exec(contentType) ?? []
  const hasParts = boundary === undefined || new TextDecoder().decode(body).includes(boundary)
  if (form === null && hasParts) return
  const [fields, files] = [new URLSearchParams(), [] as string[]]
  for (const [name, value] of form ?? []) {
    if (typeof value === 'string') fields.append(name, value)
    else files.push(name)
  }
  // A view, because the bytes can be those of other middleware.
  request.body = Object.assign(body.subarray(), { form: String(fields), files })
}
