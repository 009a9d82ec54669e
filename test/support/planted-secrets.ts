import { annotationsPath as list } from './api/paths.ts'
import { form, json, parts } from './scenarios/secrets.table.ts'

/** A secret by its form, or by its name where it stands. The text `%` stands for what must appear nowhere. */
const forms = [
  ...['phx_%', 'Bearer %', 'Basic %', 'eyJ%.eyJ%.%', 'AKIA%', 'ghp_%%%', 'github_pat_%%%'],
  ...['sk_live_%%', 'xoxb-%', 'glpat-%%.01.%', 'glrt-%%', 'GOCSPX-%%', 'npm_%%%', 'AIza%%%'],
  ...['whsec_%', 'xapp-1-%', 'ya29.%', 'hf_%%', 'SG.%.%', 'pypi-%%%'],
  ...['https://hooks.slack.com/services/T0/B0/%', 'https://%@a.test/', 'db://ada:p/%@a.test'],
  ...['postgres://ada:%@db.test/app', 'https://ada:%@a.test/', '/?access_token=%&a=b'],
  `-----BEGIN PRIVATE ${'KEY'}-----\n%\n-----END PRIVATE ${'KEY'}-----`,
  ...['Authorization: Token %', 'SECRET_KEY = "%"', "{'password': '%'}", '{"api_key": "%"}'],
  ...['realm="api", token="%"', 'key="see token=%"', '&quot;password&quot;: &quot;%&quot;'],
  ...['{"key": "password", "value": "%"}', '//ada:%@a.test/', '{"k": "otp", "v": "%"}'],
  ...['[{"name": "X-Api-Key", "value": "%"}]', '{"value": "%", "name": "password"}'],
  '<input name="csrfmiddlewaretoken" type="hidden" value="%">',
  '<input value="%" type="hidden" name="csrfmiddlewaretoken">',
  ...['password: `%`', '<password>%</password>', '{"name": "token", "content": "%"}'],
  'Authorization: Digest username="u", response="%"',
  'Authorization: Hawk id="a", mac="%"',
  '{"a": "{\\"b\\": \\"{\\\\\\"session\\\\\\": \\\\\\"%\\\\\\"}\\"}"}',
  ...['see {"tokens": ["%"]} ok', 'x {"credentials": {"user": "%"}} y', "{'secret': ['%']}"],
  ...['x [["password", "%%"]] y', 'see [{"name": "password", "value": ["%"]}]', '/x/pass=%'],
]

interface Sent {
  readonly method?: string
  readonly target?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const post = (body: unknown): Sent => ({
  ...{ method: 'POST', target: list, headers: json, body: JSON.stringify(body) },
})
const query = (text: string): string => `${list}?search=${encodeURIComponent(text)}`

const inLine = (text: string): string => text.replaceAll('\n', ' ')

/** Where a secret that its form identifies can be. */
const places: Readonly<Record<string, (secret: string) => Sent>> = {
  field: (secret) => post({ content: `of ${secret}`, scope: secret }),
  'name of a field': (secret) => post({ [secret]: 1 }),
  'ignored parameter': (secret) => ({ target: query(secret).replace('search', 'limit') }),
  query: (secret) => ({ target: query(secret) }),
  'query, encoded twice': (secret) => ({ target: query(encodeURIComponent(secret)) }),
  path: (secret) => ({ target: `/api/nothing/${encodeURIComponent(secret)}/` }),
  header: (secret) => ({ target: list, headers: { 'x-trace': inLine(secret) } }),
  referer: (secret) => ({ target: list, headers: { referer: inLine(secret) } }),
  type: (secret) => ({ target: list, headers: { accept: `text/a; ${inLine(secret)}` } }),
  text: (body) => ({ ...post(0), headers: { 'content-type': `a/b; ${inLine(body)}` }, body }),
}

/** A secret that a name identifies, in each place. */
const named: readonly ((secret: string) => Sent)[] = [
  ...['X-Api-Key', 'Cookie', 'Proxy-Authorization', 'X-CSRFToken', 'X-Amz-Signature'].map(
    (name) => (secret: string) => ({ target: list, headers: { [name]: `a=${secret}` } }),
  ),
  (secret) => ({ target: list, headers: { [`phx_${secret}`]: '1' } }),
  ...['Basic', 'Digest', 'Token', 'Negotiate', 'Own'].map((scheme) => (secret: string) => ({
    ...{ target: `${list}?token=${secret}`, headers: { authorization: `${scheme} ${secret}` } },
  })),
  ...['token', 'key', 'sid', 'signature', 'user[password]', 'jwt'].map(
    (name) => (secret: string) => ({
      target: `${list}?${new URLSearchParams({ [name]: secret })}`,
    }),
  ),
  ...['password', 'clientSecret', 'session_id', 'refresh_token', 'credentials', 'otp'].map(
    (name) => (secret: string) => post({ content: 'x', scope: 'nonsense', [name]: secret }),
  ),
  (secret) => ({ target: `${list}?token=a&token=${secret}` }),
  (secret) => post({ content: 'x', scope: 'nonsense', c: { value: secret, name: 'password' } }),
  (secret) => post({ scope: 'nonsense', c: { value: numberOf(secret), name: 'otp' } }),
  (secret) => ({ target: list, headers: { origin: `https://ada:${secret}@a.test` } }),
  (secret) => ({ method: 'DELETE', target: `${list}X-Api-Key%3A%20${secret}/` }),
  (secret) => post({ content: 'x', scope: 'nonsense', otp: numberOf(secret) }),
  (secret) => post({ content: `see {"otp": ${numberOf(secret)}} ok`, scope: { auth: [secret] } }),
  (secret) => post({ content: 'x', scope: 'nonsense', token: [{ value: numberOf(secret) }] }),
  (secret) => post({ content: 'x', scope: 'nonsense', sessions: { [secret]: 1 } }),
  (secret) => post({ content: 'x', scope: 'nonsense', c: [{ private_key: { pem: secret } }] }),
  (secret) => ({ target: list, headers: { authorization: `Basic ${btoa(`ada:${secret}`)}` } }),
  (secret) => post({ content: 'x', scope: 'nonsense', signature: secret + 'x'.repeat(70_000) }),
  (secret) => ({ ...post(0), headers: form, body: `scope=PROJECT&code=${secret}` }),
  (secret) => ({
    ...{ ...post(0), headers: parts },
    body: `--cut\r\nContent-Disposition: form-data; filename="a"; name=password\r\n\r\n${secret}\r\n--cut--\r\n`,
  }),
  (secret) => ({ ...post(0), body: `{"password": "${secret}", "content": None` }),
]

/** What must appear nowhere: a number that only this request has, within letters that each form allows. */
export const core = (index: number): string => `Q7Z${String(index).padStart(4, '0')}Q7Z${'A1B2C3'}`

/** A number in place of a core. */
const numberOf = (core: string): number => Number(`7788${core.slice(3, 7)}9900`)

export function findCores(text: string): string[] {
  const inBase64 = text
    .match(/[A-Za-z\d+/]{16,}/g)
    ?.map((run) => atob(run.slice(0, run.length & ~3)))
  return [...new Set(`${text} ${inBase64}`.match(/Q7Z\d{4}Q7Z|7788\d{4}9900/gi))]
}

const forEach = (requests: readonly ((secret: string) => Sent)[]): readonly Sent[] =>
  requests.map((request, index) => request(core(index)))
const placed = Object.values(places)

/** Requests with a secret each: each form at each place. */
export const sentAnywhere = forEach(
  forms.flatMap((text) =>
    placed.map((place) => (secret: string) => place(text.replaceAll('%', secret))),
  ),
)

/** Requests with a secret each: each form at one place, and each name. */
export const sent = forEach([
  ...forms.map((text, index) => (secret: string) => {
    const place = placed[index % placed.length] as (typeof placed)[number]
    return place(text.replaceAll('%', secret))
  }),
  ...named,
])

/** What a service answers: each form in a body and in headers. */
export const received = forms.map((text, index) => {
  const secret = text.replaceAll('%', core(1_000 + index))
  const line = inLine(secret)
  return {
    status: [200, 302, 500][index % 3] as number,
    headers: {
      location: `/next?token=${core(1_100 + index)}`,
      link: `<https://a.test/?session=${core(1_200 + index)}>; rel="next"`,
      'set-cookie': `id=${core(1_300 + index)}; Path=/`,
      'www-authenticate': `Bearer error="${line.replaceAll('"', "'")}"`,
    },
    body:
      index % 2 ? `<h1>Failed</h1>${secret}` : { detail: secret, password: core(1_400 + index) },
  }
})

/** The path whose response is that of an index, by a fault. */
export const rowPath = (index: number): string => `${list}${9_000 + index}/`

/** All of them, and one for each answer. */
export const requests: readonly Sent[] = [
  ...sent,
  ...received.map((_, index) => ({ target: rowPath(index) })),
]
