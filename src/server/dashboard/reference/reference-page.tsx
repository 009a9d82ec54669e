import { BookOpen } from 'lucide'
import type { Remote } from '../../../remote/connect.ts'
import { useDashboard, useLiveState, useServer, useViewParams } from '../kit/context.ts'
import { SearchField } from '../kit/fields.tsx'
import { formatCount, matchesWords } from '../kit/format.ts'
import { MethodTag, none, StatusTag } from '../kit/inline.tsx'
import { DetailPanel, EmptyState, ErrorMessage, SplitView } from '../kit/panels.tsx'
import { useLoad } from '../kit/store.ts'
import { type Column, JsonView, ScrollArea, Table } from '../kit/table.tsx'
import {
  type ApiDocument,
  type ApiParameter,
  bodyOf,
  type DocumentedField,
  type DocumentedOperation,
  defaultOf,
  describeType,
  listFields,
  notesOf,
  operationsOf,
  responsesOf,
  type Schema,
  scopesOf,
} from './document.ts'
import { type OperationProps, TryIt } from './try-it.tsx'

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

/** Everything about one operation: a form to send it, its parameters, its bodies, and the policies it depends on. */
function OperationView(props: OperationProps & { back: string }) {
  const { operation, document, isControl, back } = props
  const { method, path, summary, operationId, parameters = [], requestBody } = operation
  const scopes = scopesOf(operation)
  const body = bodyOf(requestBody?.content)
  return (
    <DetailPanel label={operationId} title={summary.replace(/\.$/, '')} back={back}>
      <p class="request-line">
        <MethodTag method={method} /> <code>{path}</code>
      </p>
      <p class="facts">
        <span>
          Operation <code>{operationId}</code>
        </span>
        {!isControl && (
          <span>
            {scopes.length === 0 ? 'Any key' : 'A key with the scope '}
            {scopes.map((scope) => (
              <span key={scope} class="tag">
                {scope}
              </span>
            ))}
          </span>
        )}
      </p>
      <TryIt {...{ operation, document, isControl }} />
      {parameters.length > 0 && (
        <section>
          <h3>Parameters</h3>
          <ParameterTable parameters={parameters} document={document} />
        </section>
      )}
      {body && (
        <section>
          <h3>Request body</h3>
          <Body of="request body" body={body} document={document} />
        </section>
      )}
      <section>
        <h3>Responses</h3>
        {responsesOf(operation, document).map(({ status, description, content }) => {
          const answer = bodyOf(content)
          return (
            <details key={status} open={status < 300}>
              <summary>
                <StatusTag status={status} dropped="" />{' '}
                {status < 300 ? (answer?.mediaType ?? 'no body') : description}
              </summary>
              {answer && <Body of={`response ${status}`} body={answer} document={document} />}
            </details>
          )
        })}
      </section>
      <OperationPolicies ids={operation['x-policies'] ?? []} />
    </DetailPanel>
  )
}

function ParameterTable(props: { parameters: readonly ApiParameter[]; document: ApiDocument }) {
  const { parameters, document } = props
  const columns: readonly Column<ApiParameter>[] = [
    ['', 'Name', ({ name, in: place }) => <FieldName name={name} note={place} />],
    ['', 'Type', ({ schema }) => describeType(schema, document)],
    ['', 'Default', ({ schema }) => defaultOf(schema, document) || none],
    [
      '',
      'Description',
      ({ description = '', schema }) => [description, ...notesOf(schema, document)].join(' '),
    ],
  ]
  return (
    <ScrollArea label="Parameters">
      <Table class="documented" columns={columns} rows={parameters} rowKey={({ name }) => name} />
    </ScrollArea>
  )
}

function FieldName({ name, note }: { name: string; note: string }) {
  return (
    <>
      <code>{name}</code> <span class="dim">{note}</span>
    </>
  )
}

/** A body: its example, and its fields with their types. */
function Body(props: {
  of: string
  body: NonNullable<ReturnType<typeof bodyOf>>
  document: ApiDocument
}) {
  const { of, body, document } = props
  return (
    <>
      {body.examples.map(([name, value]) => (
        <JsonView key={name} label={`${name} of the ${of}`} value={value} />
      ))}
      <FieldTable schema={body.schema} document={document} />
    </>
  )
}

const fieldColumns: readonly Column<DocumentedField>[] = [
  [
    '',
    'Field',
    ({ path, isRequired }) => <FieldName name={path} note={isRequired ? '' : 'optional'} />,
  ],
  ['', 'Type', ({ type }) => type],
  ['', 'Description', ({ note }) => note || none],
]

function FieldTable({ schema, document }: { schema: Schema | undefined; document: ApiDocument }) {
  const listed = listFields(schema, document)
  // Alternatives of a body can have the same field.
  const fields = [...new Map(listed.map((each) => [each.path, each])).values()]
  if (fields.length === 0) return null
  return (
    <details>
      <summary>Fields and types</summary>
      <ScrollArea label="Fields">
        <Table
          class="documented"
          columns={fieldColumns}
          rows={fields}
          rowKey={({ path }) => path}
        />
      </ScrollArea>
    </details>
  )
}

/** The policies that affect an operation, with their settings. */
function OperationPolicies({ ids }: { ids: readonly string[] }) {
  const { link } = useDashboard()
  const { policies } = useLiveState()
  const shown = policies.filter(({ id }) => ids.includes(id))
  if (shown.length === 0) return null
  return (
    <section>
      <h3>Policies</h3>
      <ul class="plain policies">
        {shown.map(({ id, question, setting }) => (
          <li key={id}>
            {question} <a href={link('controls', 'policies', id)}>{id}</a> = <code>{setting}</code>
          </li>
        ))}
      </ul>
    </section>
  )
}
