/** Which headings of a CSV file of another product mean which of our columns. Pure: the console can use it, too. */
import type { CsvRecord } from './csv-reader.ts'
import { columnOf, METADATA } from './user-columns.ts'

export interface ColumnMapping {
  /** Our column by heading; null leaves the column out. Headings that are not here are read as ours. */
  readonly columns: Readonly<Record<string, string | null>>
  /** What becomes of headings that mean nothing: an error, nothing, or metadata under the heading. */
  readonly others: 'refuse' | 'ignore' | 'metadata'
  /** What the values under a heading mean in our words; others stay as they are. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The value of a column in every row. */
  readonly constants?: Readonly<Record<string, string>>
}

/** Headings are compared without their case, and without remarks in brackets at their end. */
function fold(heading: string): string {
  return heading
    .trim()
    .replace(/\s*\[[^\]]*\]$/, '')
    .toLowerCase()
}

/** What an object has for a text, whatever its case. */
function findIn<Value>(object: Readonly<Record<string, Value>> | undefined, text: string): Value | undefined {
  return Object.entries(object ?? {}).find(([name]) => fold(name) === fold(text))?.[1]
}

/** The heading in our words; null when the column is left out. */
function translate({ columns, others }: ColumnMapping, heading: string): string | null {
  const found = findIn(columns, heading)
  if (found !== undefined) return found
  if (columnOf(heading) !== undefined || others === 'refuse') return heading
  return others === 'ignore' || heading.trim() === '' ? null : METADATA + heading.trim()
}

/** Rewrites the records of a file, of which the first one names the columns. */
export function mapRecords(mapping: ColumnMapping): (record: CsvRecord) => CsvRecord {
  const constants = Object.entries(mapping.constants ?? {})
  let kept:
    | readonly { readonly index: number; readonly values: Readonly<Record<string, string>> | undefined }[]
    | undefined
  let width = 0
  return (record) => {
    const { cells } = record
    if (kept === undefined) {
      const headings = cells.map((heading) => translate(mapping, heading))
      width = cells.length
      kept = headings.flatMap((heading, index) =>
        heading === null ? [] : [{ index, values: findIn(mapping.values, cells[index] ?? '') }],
      )
      const names = headings.filter((heading) => heading !== null)
      return { ...record, cells: [...names, ...constants.map(([name]) => name)] }
    }
    // What stands beyond the first line stays beyond it, where it is an error.
    const own = kept.map(({ index, values }) => findIn(values, cells[index] ?? '') ?? cells[index] ?? '')
    return { ...record, cells: [...own, ...constants.map(([, value]) => value), ...cells.slice(width)] }
  }
}

/** Files that other products write. */
export const CSV_PRESETS: Readonly<Record<string, ColumnMapping & { readonly from: string }>> = {
  cognito: {
    from: 'Amazon Cognito, the header of its user import',
    others: 'ignore',
    columns: {
      'cognito:username': 'username',
      nickname: 'nick_name',
      name: 'display_name',
      locale: 'language',
      phone_number: 'phone',
      phone_number_verified: 'phone_verified',
    },
  },
  entra: {
    from: 'Microsoft Entra ID, “Download users”',
    others: 'ignore',
    columns: {
      userPrincipalName: 'username',
      displayName: 'display_name',
      surname: 'family_name',
      givenName: 'given_name',
      mail: 'email',
      objectId: 'metadata.entra_object_id',
      id: 'metadata.entra_object_id',
      department: 'metadata.department',
      jobTitle: 'metadata.job_title',
      state: null,
      accountEnabled: 'state',
    },
    values: { accountEnabled: { true: 'active', false: 'inactive' } },
  },
  'google-workspace': {
    from: 'Google Workspace, “Download users”',
    others: 'ignore',
    columns: {
      'First Name': 'given_name',
      'Last Name': 'family_name',
      'Email Address': 'email',
      'Recovery Phone': 'phone',
      Status: 'state',
      Department: 'metadata.department',
      'Employee ID': 'metadata.employee_id',
      'Org Unit Path': 'metadata.org_unit_path',
    },
  },
  okta: {
    from: 'Okta, a CSV file with the attributes of profiles',
    others: 'ignore',
    columns: {
      login: 'username',
      firstName: 'given_name',
      lastName: 'family_name',
      displayName: 'display_name',
      nickName: 'nick_name',
      mobilePhone: 'phone',
      preferredLanguage: 'language',
      department: 'metadata.department',
      employeeNumber: 'metadata.employee_number',
      state: null,
      status: 'state',
    },
  },
}
