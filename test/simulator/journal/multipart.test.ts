import { expect, test } from 'vitest'
import { annotationsPath } from '../../support/api/paths.ts'
import { start } from '../../support/lanes/start.ts'

const type = 'multipart/form-data; boundary=cut'

/** A form with text fields and a file. */
function formOf(fields: Readonly<Record<string, string>>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--cut\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = 'Content-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nin the file\r\n'
  return `${parts.join('')}--cut\r\n${file}--cut--\r\n`
}

const sentForm = formOf({ content: 'Launch', contnt: 'x' })

test('the journal shows a multipart form as it was sent, and what the operation ignored', async () => {
  const { ask, simulator } = await start({ profile: 'live' })

  const { status } = await ask('POST', annotationsPath, {
    raw: sentForm,
    headers: { 'content-type': type },
  })

  const [entry] = simulator.journal.find()
  expect(status).toBe(201)
  expect(entry?.request).toMatchObject({
    headers: { 'content-type': type },
    body: sentForm,
    bytes: sentForm.length,
    omitted: false,
  })
  expect(entry?.ignored).toEqual(['body.contnt', 'body.f, which is a file'])
})

test('verify compares the fields of a multipart form', async () => {
  const { ask, simulator } = await start({ profile: 'live' })

  await ask('POST', annotationsPath, { raw: sentForm, headers: { 'content-type': type } })

  const body = { content: 'Launch', contnt: 'x' }
  expect(simulator.journal.verify({ operation: 'createAnnotation', body }).passed).toBe(true)
  expect(simulator.journal.verify({ body: { content: 'Other' } }).passed).toBe(false)
})

test('a HAR and a recording have the body of a multipart form, without its key', async () => {
  const { simulator } = await start({ profile: 'live' })
  const raw = formOf({ content: 'Launch', personal_api_key: 'phx_all' })
  await simulator.fetch(annotationsPath, {
    method: 'POST',
    body: raw,
    headers: { 'content-type': type },
  })

  const [entry] = simulator.journal.toHar().log.entries
  const [row] = simulator.journal.find()

  expect(row?.response.status).toBe(201)
  expect(row?.key).toEqual({ label: 'all', value: 'phx_…' })
  expect(entry?.request.postData?.mimeType).toBe(type)
  expect(entry?.request.postData?.text).toContain('filename="a.txt"\r\n\r\nin the file\r\n')
  expect(JSON.stringify([entry, row])).not.toContain('phx_all')
})

test('explain suggests the fields of a refused multipart form', async () => {
  const { ask, simulator } = await start({ profile: 'live' })
  await ask('POST', annotationsPath, {
    raw: formOf({ content: 'Launch', scope: 'nonsense' }),
    headers: { 'content-type': type },
  })

  const explained = await simulator.explain(1)

  expect(explained).toMatchObject({ status: 400 })
  expect(explained.would_succeed?.body).toMatchObject({ content: 'Launch' })
})
