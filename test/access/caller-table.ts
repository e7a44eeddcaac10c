/**
 * Which callers each requirement of the contract admits. Methods are not listed: what a method requires is an option of the
 * contract, and docs/reference/api.md shows it for review. A requirement that is not listed fails the test.
 */

/** Who calls, with the header of which organization. The order of the letters in the table below. */
// biome-ignore format: one line for each group of letters
export const COLUMNS: readonly (readonly [bearer: string | undefined, organization?: string])[] = [
  [undefined], ['garbage'], ['nobody'], ['confused'], // nothing, a bad token, no roles, roles at the wrong level
  ['orgViewer'], ['orgManager'], ['orgOwner'], // in their own organization
  ['login'], ['manager'], ['viewer'], ['owner'], // on the instance
  ['orgOwner', 'org-b'], ['owner', 'org-b'], ['owner', 'org-off'], // with the header of another organization
  ['nobody', 'no-such-org'], ['orgOwner', 'no-such-org'], ['owner', 'no-such-org'],
]

/** By requirement: a letter for each column, `+` admitted, `U` unauthenticated, `F` forbidden, `N` not found. */
// biome-ignore format: it is a table
export const EXPECTED: Readonly<Record<string, string>> = {
  'authenticated': 'UU++ +++ ++++ F++ FFN',
  'context org.create': 'UUFF FFF FFF+ F++ FFN',
  'context org.delete': 'UUFF FF+ FFF+ F++ FFN',
  'context org.idp.read': 'UUFF +F+ +F++ F++ FFN',
  'context org.idp.write': 'UUFF FF+ FFF+ F++ FFN',
  'context org.member.delete': 'UUFF FF+ FFF+ F++ FFN',
  'context org.member.read': 'UUFF +F+ ++++ F++ FFN',
  'context org.member.write': 'UUFF FF+ +FF+ F++ FFN',
  'context org.read': 'UUFF +++ ++++ F++ FFN',
  'context org.write': 'UUFF FF+ FFF+ F++ FFN',
  'context policy.delete': 'UUFF FF+ FFF+ F++ FFN',
  'context policy.read': 'UUFF +++ ++++ F++ FFN',
  'context policy.write': 'UUFF FF+ FFF+ F++ FFN',
  'context user.delete': 'UUFF F++ F+F+ F++ FFN',
  'context user.global.read': 'UUFF +++ F+++ F++ FFN',
  'context user.read': 'UUFF +++ ++++ F++ FFN',
  'context user.write': 'UUFF F++ ++F+ F++ FFN',
  'instance events.read': 'UUFF FFF FF++ F++ FFN',
  'instance iam.feature.delete': 'UUFF FFF FFF+ F++ FFN',
  'instance iam.feature.write': 'UUFF FFF FFF+ F++ FFN',
  'instance iam.idp.read': 'UUFF FFF +F++ F++ FFN',
  'instance iam.idp.write': 'UUFF FFF FFF+ F++ FFN',
  'instance iam.member.delete': 'UUFF FFF FFF+ F++ FFN',
  'instance iam.member.read': 'UUFF FFF +F++ F++ FFN',
  'instance iam.member.write': 'UUFF FFF +FF+ F++ FFN',
  'instance iam.policy.delete': 'UUFF FFF FFF+ F++ FFN',
  'instance iam.policy.read': 'UUFF FFF +F++ F++ FFN',
  'instance iam.policy.write': 'UUFF FFF FFF+ F++ FFN',
  'instance iam.read': 'UUFF FFF +F++ F++ FFN',
  'instance iam.write': 'UUFF FFF FFF+ F++ FFN',
  'instance iam.web_key.delete': 'UUFF FFF FFF+ F++ FFN',
  'instance iam.web_key.read': 'UUFF FFF FF++ F++ FFN',
  'instance iam.web_key.write': 'UUFF FFF FFF+ F++ FFN',
  'instance org.write': 'UUFF FFF FFF+ F++ FFN',
  'public': '++++ +++ ++++ +++ +++',
  'target org.delete': 'UUFF FF+ FFF+ F++ FFN',
  'target org.idp.read': 'UUFF +F+ +F++ F++ FFN',
  'target org.member.delete': 'UUFF FF+ FFF+ F++ FFN',
  'target org.member.read': 'UUFF +F+ ++++ F++ FFN',
  'target org.member.write': 'UUFF FF+ +FF+ F++ FFN',
  'target org.read': 'UUFF +++ ++++ F++ FFN',
  'target org.write': 'UUFF FF+ FFF+ F++ FFN',
  'target policy.delete': 'UUFF FF+ FFF+ F++ FFN',
  'target policy.read': 'UUFF +++ ++++ F++ FFN',
  'target policy.write': 'UUFF FF+ FFF+ F++ FFN',
  'target project.app.delete': 'UUFF FF+ FFF+ F++ FFN',
  'target project.app.read': 'UUFF +F+ ++++ F++ FFN',
  'target project.app.write': 'UUFF FF+ FFF+ F++ FFN',
  'target session.write': 'UUFF FFF +FF+ F++ FFN',
  'target user.credential.write or self': 'UU++ +++ ++++ F++ FFN',
  'target user.delete': 'UUFF F++ F+F+ F++ FFN',
  'target user.passkey.write or self': 'UU++ +++ ++++ F++ FFN',
  'target user.read or self': 'UU++ +++ ++++ F++ FFN',
  'target user.write or self': 'UU++ +++ ++++ F++ FFN',
  'target user.write': 'UUFF F++ ++F+ F++ FFN',
}
