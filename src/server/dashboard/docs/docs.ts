/** What the page shows: the API, or what controls it. */
const documents = {
  api: { address: '/openapi.json', scheme: 'personalApiKey' },
  control: { address: '/__admin/openapi.json', scheme: 'token' },
} as const

/** As much of the element of openapi-explorer as is used here. */
interface Explorer extends HTMLElement {
  loadSpec(document: object): Promise<void>
  setAuthenticationConfiguration(scheme: string, given: { token: string }): Promise<void>
}

/** The document in question, with what it takes to try an operation out filled in. */
async function show(of: keyof typeof documents, explorer: Explorer): Promise<void> {
  const { address, scheme } = documents[of]
  const document = await fetchJson<SpecDocument>(address)
  await customElements.whenDefined('openapi-explorer')
  await explorer.loadSpec(withAbsoluteUrls(document))
  const token = of === 'control' ? readStoredToken() : await firstKey()
  if (token) await explorer.setAuthenticationConfiguration(scheme, { token })
}

interface SpecDocument {
  readonly servers: readonly { readonly url: string }[]
}

/** The explorer takes an address that begins with a slash for one below its own page. */
function withAbsoluteUrls(document: SpecDocument): SpecDocument {
  const servers = document.servers.map((server) => ({
    ...server,
    url: location.origin + server.url.replace(/\/$/, ''),
  }))
  return { ...document, servers }
}

type Keys = readonly { readonly value: string }[]

/** The key that may do most stands first in a world. */
async function firstKey(): Promise<string | undefined> {
  const keys = await fetchJson<Keys>('/__admin/keys').catch(() => [])
  return keys[0]?.value
}

async function fetchJson<T>(address: string): Promise<T> {
  const token = readStoredToken()
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {}
  const answer = await fetch(address, { headers })
  if (answer.ok) return answer.json()
  throw new Error(
    answer.status === 401
      ? 'The server asks for its token. Open the dashboard, enter it there, and come back.'
      : `The server answered ${answer.status} to ${address}.`,
  )
}

/** The dashboard keeps it for the tab. */
function readStoredToken(): string | null {
  return sessionStorage.getItem('understudy-token')
}

const selectedDocument =
  new URLSearchParams(location.search).get('of') === 'control' ? 'control' : 'api'
document
  .querySelector(`nav a[href="?of=${selectedDocument}"]`)
  ?.setAttribute('aria-current', 'page')
show(selectedDocument, document.querySelector('openapi-explorer') as Explorer).catch(
  (error: Error) => {
    const status = document.querySelector('[role=status]')
    if (status) status.textContent = error.message
  },
)
