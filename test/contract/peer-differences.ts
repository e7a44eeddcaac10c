/** The fields of the ZITADEL API that are not served alike, by the reason. A line that is no longer true fails its test. */
export const FIELD_DIFFERENCES: Readonly<Record<string, readonly string[]>> = {
  'the fields of a form are returned, not a page with it': [
    'signet.user.v2.StartIdentityProviderIntentResponse.post_form: missing',
  ],
  'the certificates of a directory are in its configuration, not among the attributes of users': [
    'signet.idp.v2.LDAPAttributes.root_ca: missing',
  ],
  'a provider that is removed is gone, and one that is migrated is active as what it became': [
    'signet.idp.v2.IDPState: no IDP_STATE_MIGRATED',
    'signet.idp.v2.IDPState: no IDP_STATE_REMOVED',
  ],
  'each provider is added to a policy and listed by a method of its own': [
    'signet.management.v1.AddCustomLoginPolicyRequest.idps: missing',
    'signet.policy.v1.LoginPolicy.idps: missing',
  ],
  'the flags were dropped from the API later': [
    'signet.feature.v2.GetInstanceFeaturesResponse.disable_user_token_event: missing',
    'signet.feature.v2.GetSystemFeaturesResponse.disable_user_token_event: missing',
    'signet.feature.v2.ImprovedPerformance: no IMPROVED_PERFORMANCE_ORG_BY_ID',
    'signet.feature.v2.SetInstanceFeaturesRequest.disable_user_token_event: missing',
  ],
  // 13 is uint32, 4 is uint64; 9 is string, 12 is bytes.
  'the values that are allowed look the same on the wire and in JSON': [
    'signet.management.v1.AddCustomPasswordComplexityPolicyRequest.min_length: scalar 13, not scalar 4',
    'signet.management.v1.UpdateCustomPasswordComplexityPolicyRequest.min_length: scalar 13, not scalar 4',
  ],
  'metadata of sessions is text: bytes that are text arrive unchanged': [
    'signet.session.v2.CreateSessionRequest.metadata: map of scalar 9, not map of scalar 12',
    'signet.session.v2.Session.metadata: map of scalar 9, not map of scalar 12',
    'signet.session.v2.SetSessionRequest.metadata: map of scalar 9, not map of scalar 12',
  ],
}
