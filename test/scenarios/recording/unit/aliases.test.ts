import { expect, test } from 'vitest'
import { Aliases, isAlias, personalDataKind } from '../../../../src/scenarios/recording/aliases.ts'
import { SecretNames } from '../../../../src/utils/redaction/secret-names.ts'

const createAliases = () => new Aliases(new SecretNames(['badge']))

test.each([
  [
    'name',
    [
      'first_name',
      'lastName',
      'MIDDLE_NAME',
      'full_name',
      'given_name',
      'family_name',
      'display_name',
      'username',
      'nickname',
      'surname',
    ],
  ],
  ['person', ['distinct_id', 'distinctId', 'phone', 'phone_number', 'phoneNumber']],
  ['email', ['email', 'e_mail', 'Email_Address', 'emailAddress']],
  ['key', ['personal_api_key', 'personal_api_key[]']],
  [
    null,
    [
      'name',
      'my_first_name',
      'first_names',
      'surnames',
      'a_surname',
      'distinct_ids',
      'a_distinct_id',
      'phones',
      'a_phone',
      'emails',
      'my_email',
      'email_addresses',
      'token',
    ],
  ],
])('personal data of the kind %s is in the fields %j', (kind, names) => {
  expect(names.map((name) => personalDataKind(name))).toEqual(names.map(() => kind))
})

test('an alias counts the values of its kind, and e-mail addresses without case', () => {
  const aliases = createAliases()

  const values = [
    ['email', 'a@b.test'],
    ['email', 'A@b.test'],
    ['email', 'c@b.test'],
    ['name', 'Ada'],
    ['name', 'ada'],
    ['key', 'Ada'],
    ['name', 'Ada'],
    ['name', ''],
  ] as const

  expect(values.map(([kind, value]) => aliases.aliasFor(kind, value))).toEqual([
    'replaced-email-1@example.com',
    'replaced-email-1@example.com',
    'replaced-email-2@example.com',
    'replaced-name-1',
    'replaced-name-2',
    'replaced-key-1',
    'replaced-name-1',
    '',
  ])
})

test('an alias of an earlier recording stays, and a learned value keeps its kind', () => {
  const aliases = createAliases()
  aliases.learn('person', '555-0123')
  aliases.learn('key', '555-0123')

  expect([
    aliases.aliasFor('name', 'replaced-email-7@example.com'),
    aliases.aliasFor('secret', '555-0123'),
    aliases.aliasFor('secret', 'replaced-key-7 and more'),
  ]).toEqual(['replaced-email-7@example.com', 'replaced-person-1', 'replaced-secret-1'])
})

test('short values, aliases and learned values are not learned', () => {
  const aliases = createAliases()
  const counts = ['12345', '123456', '123456', 'replaced-key-1', 'my replaced-key-1', 'abcdef'].map(
    (value) => {
      aliases.learn('secret', value)
      return aliases.learnedCount
    },
  )

  expect(counts).toEqual([0, 1, 1, 1, 2, 3])
  expect(aliases.replaceInText('12345 123456 abcdef')).toBe(
    '12345 replaced-secret-1 replaced-secret-2',
  )
})

test.each([
  ['by ada@corp.test.', 'by replaced-email-1@example.com.'],
  ['q=ada%40corp.test', 'q=replaced-email-1%40example.com'],
  ['q=ada+x%40corp.test', 'q=replaced-email-1%40example.com'],
  ['"hi\\nada@corp.test"', '"hi\\nreplaced-email-1@example.com"'],
  ['ada@corp', 'ada@corp'],
  ['@corp.test', '@corp.test'],
  ['ada@corp.test bob@corp.test', 'replaced-email-1@example.com replaced-email-2@example.com'],
  ['phx_0123456789abcdef', 'replaced-key-1'],
  ['phc_0123456789abcdef', 'replaced-key-1'],
  ['phx_0123456789', 'phx_0123456789'],
  ['Bearer abcdefgh1', 'Bearer replaced-secret-1'],
  ['eyJhbGciOiJI.eyJzdWIi.c2ln', 'replaced-secret-1'],
  ['replaced-key-7 ada@corp.test', 'replaced-key-7 replaced-email-1@example.com'],
  ['nothing', 'nothing'],
])('in the text %j secrets and addresses are replaced: %j', (text, replaced) => {
  expect(createAliases().replaceInText(text)).toBe(replaced)
})

test('an alias is from a response if a response used it first', () => {
  const aliases = createAliases()
  aliases.replaceInText('of ada@corp.test and replaced-key-8')
  aliases.isInResponse = true
  aliases.replaceInText('of bob%40corp.test, ada@corp.test, replaced-key-8 and replaced-key-9')
  aliases.aliasFor('name', 'Ada')
  aliases.isInResponse = false
  aliases.aliasFor('name', 'Ada')

  const used = [
    'replaced-email-1@example.com',
    'replaced-email-1%40example.com',
    'replaced-key-8',
    'replaced-email-2@example.com',
    'replaced-email-2%40example.com',
    'replaced-key-9',
    'replaced-name-1',
    'replaced-name-2',
  ]
  expect(used.map((alias) => aliases.isFromResponse(alias))).toEqual([
    false,
    false,
    false,
    true,
    true,
    true,
    true,
    false,
  ])
})

test('a value of a field for personal data is sent for every field, and a text for plain fields only', () => {
  const aliases = createAliases()
  aliases.aliasForField('name', 'Ada')
  aliases.replaceInText('ada@corp.test')
  aliases.aliasForField('name', 'Bob')
  aliases.replaceInText('replaced-name-2')
  aliases.replaceInText('of cleo@corp.test')
  aliases.isInResponse = true
  aliases.aliasForField('name', 'Dan')
  aliases.replaceInText('eve@corp.test')

  const sent = [
    'replaced-name-1',
    'replaced-name-2',
    'replaced-name-3',
    'replaced-email-1@example.com',
    'replaced-email-2@example.com',
    'replaced-email-3@example.com',
  ].map((alias) =>
    ['content', 'first_name', 'badge'].map((field) => aliases.isSentByClient(alias, field)),
  )
  expect(sent).toEqual([
    [true, true, true],
    [true, true, true],
    [false, false, false],
    [true, false, false],
    [false, false, false],
    [false, false, false],
  ])
})

test.each([
  ['replaced-key-1', true],
  ['replaced-email-12@example.com', true],
  ['replaced-email-1%40example.com', true],
  ['replaced-word-1', false],
  ['replaced-key-', false],
  ['replaced-key-1 ', false],
  [' replaced-key-1', false],
])('%j is an alias: %s', (text, expected) => {
  expect(isAlias(text)).toBe(expected)
})
