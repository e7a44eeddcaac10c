/** The DPoP proof of a request to the token endpoint, for grants that the engine does not know. */
import type { KoaContextWithOIDC } from 'oidc-provider'
import validate, { checkDpopReplay } from 'oidc-provider/lib/helpers/validate_dpop.js'
import { errors, type Provider } from './index.ts'

/** The thumbprint of the key of a valid proof that was not used before; throws without one. */
export async function requireProof(provider: Provider, ctx: KoaContextWithOIDC): Promise<string> {
  const proof: { readonly thumbprint: string } | undefined = await validate(provider, ctx)
  if (proof === undefined) throw new errors.InvalidGrant('DPoP proof JWT not provided')
  await checkDpopReplay(provider, ctx, proof, ctx.oidc.client?.clientId)
  return proof.thumbprint
}
