import { BookOpen } from 'lucide'
import type { Remote } from '../../../remote/connect.ts'
import { useDashboard, useServer, useViewParams } from '../kit/context.ts'
import { SearchField } from '../kit/fields.tsx'
import { formatCount, matchesWords } from '../kit/format.ts'
import { MethodTag } from '../kit/inline.tsx'
import { EmptyState, ErrorMessage, SplitView } from '../kit/panels.tsx'
import { useLoad } from '../kit/store.ts'
import { type ApiDocument, type DocumentedOperation, operationsOf, scopesOf } from './document.ts'
import { OperationView } from './operation-view.tsx'

/** The documents: that of the simulated API, and that of the control API below `/__admin`. */
const documents = [
  ['api', 'API'],
  ['control', 'Control API'],
] as const

/** The operations of an OpenAPI document of the selected world, each with a form that sends it. */
export function ReferencePage({ path }: { path: readonly string[] }) {
  const { link, linkHere } = useDashboard()
  const { selected: remote } = useServer()
  const [of = 'api', open] = path
  const isControl = of === 'control'
  const { value, error, reload } = useLoad(
    () => readDocument(remote, isControl),
    [remote, isControl],
  )
  const { params, field } = useViewParams({ search: '' })
  const operations = value ? operationsOf(value) : []
  const shown = operations.filter(({ method, path, summary, operationId }) =>
    matchesWords(`${method} ${path} ${summary} ${operationId}`, params.search),
  )
  const operation = operations.find(({ operationId }) => operationId === open)
  const groups = (value?.tags ?? [])
    .map((tag) => ({ ...tag, all: shown.filter(({ tags }) => tags?.includes(tag.name)) }))
    .filter(({ all }) => all.length > 0)
  const detail = value && operation && (
    <OperationView
      key={operation.operationId}
      {...{ operation, document: value, isControl }}
      back={linkHere('reference', of)}
    />
  )
  return (
    <>
      <nav class="tabs" aria-label="API documents">
        {documents.map(([name, title]) => (
          <a
            key={name}
            href={link('reference', name)}
            aria-current={name === of ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <SplitView label="Operations" detail={detail} class="reference">
        <div class="toolbar">
          <SearchField placeholder="Search operations" {...field('search')} />
          <span class="count" aria-live="polite">
            {value && formatCount(shown.length, 'operation')}
          </span>
          <a href={`${remote.url}${isControl ? '/__admin' : ''}/openapi.json`}>openapi.json</a>
        </div>
        <ErrorMessage error={error} reload={reload} />
        {value && !detail && <Introduction document={value} isControl={isControl} />}
        {open !== undefined && value && !operation && (
          <EmptyState title="This operation does not exist with the current policies." />
        )}
        {value && groups.length === 0 && (
          <EmptyState icon={BookOpen} title="No operations match the search." />
        )}
        {groups.map(({ name, description, all }) => (
          <section key={name} class="operations" aria-label={name}>
            <h2>{name}</h2>
            {description && <p class="dim">{description}</p>}
            <ul class="plain">
              {all.map((each) => (
                <OperationLink
                  key={each.operationId}
                  operation={each}
                  isOpen={each === operation}
                  href={linkHere('reference', of, each.operationId)}
                />
              ))}
            </ul>
          </section>
        ))}
      </SplitView>
    </>
  )
}

async function readDocument(remote: Remote, isControl: boolean): Promise<ApiDocument> {
  if (isControl) return (await remote.openapi()) as unknown as ApiDocument
  const response = await remote.fetch('/openapi.json')
  if (response.ok) return response.json()
  throw new Error(`Failed to load /openapi.json: the server responded with ${response.status}.`)
}

/** What holds for all operations. */
function Introduction(props: { document: ApiDocument; isControl: boolean }) {
  const { document, isControl } = props
  const { remote, link } = useDashboard()
  return (
    <div class="introduction">
      <p>
        Base URL: <code>{remote.url}</code>.{' '}
        {isControl ? (
          <>Requests need the token of the server, if it has one.</>
        ) : (
          <>
            Requests need a key: <code>Authorization: Bearer KEY</code>. The world has{' '}
            <a href={link('world', 'keys')}>keys to use</a>, and so has the form of each operation.
            What the documentation leaves open follows the{' '}
            <a href={link('controls', 'policies')}>policies</a>.
          </>
        )}
      </p>
      {document.info.description?.split('\n\n').map((text) => (
        <p key={text} class="dim">
          {text
            .split('`')
            .map((part, index) => (index % 2 ? <code key={part}>{part}</code> : part))}
        </p>
      ))}
    </div>
  )
}

function OperationLink(props: { operation: DocumentedOperation; isOpen: boolean; href: string }) {
  const { operation, isOpen, href } = props
  const { method, path, summary } = operation
  const scopes = scopesOf(operation)
  return (
    <li>
      <a
        href={href}
        title={`${method} ${path}`}
        {...(isOpen && { 'aria-current': 'true' as const })}
      >
        <MethodTag method={method} />
        <code>
          {path.split(/(?<=\/)/).map((segment, index) => [index > 0 && <wbr />, segment])}
        </code>
        <span class="summary dim">{summary}</span>
        {scopes.map((scope) => (
          <span key={scope} class="tag">
            {scope}
          </span>
        ))}
      </a>
    </li>
  )
}
