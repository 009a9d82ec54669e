/** A program in Python or Go, and what it depends on by reading it: policies, and changes of responses. */
export interface ProgramClient {
  readonly language: 'python' | 'go'
  /** The file in `python`, or the first argument of the program of `go` */
  readonly name: string
  readonly dependsOn: readonly string[]
  readonly needsRequests?: boolean
}

const python = (
  name: string,
  dependsOn: readonly string[],
  needsRequests = false,
): ProgramClient => ({ language: 'python', name, dependsOn, needsRequests })

const go = (name: string, dependsOn: readonly string[]): ProgramClient => ({
  language: 'go',
  name,
  dependsOn,
})

export const programClients: readonly ProgramClient[] = [
  // The service of 2024-07 has three more fields.
  python('dataclass_of_row', ['mutate.annotation=extra_field', 'versioning']),
  python('stores_ids_in_32_bits', ['mutate.annotation=large_id']),
  python('gives_up_after_a_second', ['mutate.retrieveAnnotation=slow']),
  python('drops_the_query_of_next', [
    'annotations.list.limit.default',
    'mutate.annotation=empty_page',
  ]),
  python('expects_415_for_a_form', ['bodies.form']),
  python('joins_texts', ['mutate.annotation.content=null']),
  python('tolerant_change_log', []),
  python('session_of_requests', [], true),
  go('disallows_unknown_fields', ['mutate.annotation=extra_field', 'versioning']),
  go('ids_of_32_bits', ['mutate.annotation=large_id']),
  go('parses_times', []),
  go('domain_of_author', ['mutate.annotation.created_by=null']),
  // A service that lists deleted rows has seven.
  go('tolerant_pager', ['annotations.deleted.visibility']),
  go('expects_401', ['keys.missing.status']),
  go('expects_403', ['keys.insufficient.status']),
  go('fields_of_config', ['mutate.plugin.config_schema=null']),
  go('restores', ['annotations.restore']),
]
