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
  python('parses_created_at', [
    'mutate.annotation.created_at=null',
    'mutate.annotation.created_at=offset',
    'mutate.annotation.created_at=seconds',
  ]),
  // The service of 2024-07 has three more fields.
  python('dataclass_of_row', ['mutate.annotation=extra_field', 'versioning']),
  python('stores_ids_in_32_bits', ['mutate.annotation=large_id']),
  python('gives_up_after_a_second', ['mutate.retrieveAnnotation=slow']),
  python('wants_exact_content_type', ['mutate.annotation=charset']),
  python('reads_content_length', ['mutate.annotation=no_length']),
  python('drops_the_query_of_next', [
    'annotations.list.limit.default',
    'mutate.annotation=empty_page',
  ]),
  python('expects_415_for_a_form', ['bodies.form']),
  python('joins_texts', ['mutate.annotation.content=null']),
  python('tolerant_change_log', []),
  python('session_of_requests', [], true),
  // It names the text of the row itself: that the row has another text is no service's answer.
  python(
    'finds_a_row_by_text',
    ['annotations.list.limit.default', 'mutate.annotation=empty_page'],
    true,
  ),
  go('disallows_unknown_fields', ['mutate.annotation=extra_field', 'versioning']),
  go('ids_of_32_bits', ['mutate.annotation=large_id']),
  go('parses_times', []),
  go('layout_with_z', ['mutate.annotation.created_at=null', 'mutate.annotation.created_at=offset']),
  go('domain_of_author', ['mutate.annotation.created_by=null']),
  // A service that lists deleted rows has seven.
  go('tolerant_pager', ['annotations.deleted.visibility']),
  // The field came after May 2024, and its keys are arbitrary.
  go('color_of_hedgehog', [
    'mutate.annotation.created_by.hedgehog_config=empty_map',
    'mutate.annotation.created_by.hedgehog_config=null',
    'mutate.annotation.created_by=null',
    'versioning',
  ]),
  // A service that sends fewer rows than the limit leaves out the others: as a policy, and as a change of pages.
  go('limit_of_1000', [
    'lists.limit.maximum',
    'mutate.annotation=empty_page',
    'mutate.annotation=short_page',
  ]),
  go('expects_401', ['keys.missing.status']),
  go('expects_403', ['keys.insufficient.status']),
  go('newest_first', ['mutate.annotation=row_order']),
  go('fields_of_config', ['mutate.plugin.config_schema=null']),
  go('restores', ['annotations.restore']),
]
