/** Providers whose users are known by a signed token in a header: from a request to what is stored, and back. */
import type { JWTConfig } from '../../../contract/gen/signet/idp/v1/config_pb.ts'
import { mapped, same } from '../../module/mapped.ts'
import { endpointProblem, issuerProblem } from './addresses.ts'
import type { JwtConnection } from './events.ts'
import { lineProblem } from './names.ts'

const table = mapped<Omit<JwtConnection, 'protocol'>, JWTConfig>()({
  issuer: ['issuer', same],
  jwtEndpoint: ['jwtEndpoint', same],
  keysEndpoint: ['keysEndpoint', same],
  headerName: ['headerName', same],
  audience: ['audience', same],
})

/** The members of requests that describe such a provider. The older methods have no audience. */
export type GivenJwt = Parameters<typeof table.read>[0]

export function signedToken(given: GivenJwt): JwtConnection {
  const { audience = '', ...connection } = table.read(given)
  return { protocol: 'jwt', ...connection, ...(audience !== '' && { audience }) }
}

/** Such a provider as a message, which is the same in the v1 and v2 services. */
export const jwtMessage = table.show

/** The name of a header (RFC 9110 §5.1). */
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/

function headerProblem(name: string): string | undefined {
  return HEADER_NAME.test(name) ? undefined : 'must be the name of a header'
}

/** An issuer is compared, and never called: any text that is no URL will do, as RFC 7519 §4.1.1 allows. */
function claimedIssuerProblem(text: string): string | undefined {
  return text.includes('://') ? issuerProblem(text) : lineProblem(text)
}

/** Each field of a request with its problem, if it has one. */
export function jwtProblems(connection: JwtConnection): readonly (readonly [string, string | undefined])[] {
  const { issuer, jwtEndpoint, keysEndpoint, headerName, audience = '' } = connection
  return [
    ['issuer', claimedIssuerProblem(issuer)],
    ['jwtEndpoint', endpointProblem(jwtEndpoint)],
    ['keysEndpoint', endpointProblem(keysEndpoint)],
    ['headerName', headerProblem(headerName)],
    ['audience', lineProblem(audience)],
  ]
}
