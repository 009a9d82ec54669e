import { useDashboard, useLiveState } from '../kit/context.ts'
import { MethodTag, none, StatusTag } from '../kit/inline.tsx'
import { DetailPanel } from '../kit/panels.tsx'
import { type Column, JsonView, ScrollArea, Table } from '../kit/table.tsx'
import {
  type ApiDocument,
  type ApiParameter,
  bodyOf,
  type DocumentedField,
  defaultOf,
  describeType,
  listFields,
  notesOf,
  responsesOf,
  type Schema,
  scopesOf,
} from './document.ts'
import { type OperationProps, TryIt } from './try-it.tsx'

/** Everything about one operation: a form to send it, its parameters, its bodies, and the policies it depends on. */
export function OperationView(props: OperationProps & { back: string }) {
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
