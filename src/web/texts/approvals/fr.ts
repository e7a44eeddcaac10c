/** The sentences of the page for requests on the back channel, in French. */

export const approvalTexts = {
  approvals: {
    title: 'Demandes à approuver',
    none: 'Rien n’attend votre approbation.',
    waiting: (count: number) => `Applications en attente de votre approbation : ${count}`,
    review: 'Examiner',
    asks: (name: string) => `${name} demande votre approbation`,
    lead: (userName: string) => `L’application demande ceci avec votre compte ${userName} :`,
    message: 'Message de l’application',
    until: 'Expire',
    warning: 'N’approuvez que si vous attendez cette demande et si l’application vous affiche le même message.',
    approve: 'Approuver',
    withPasskey: 'Approuver avec une clé d’accès',
    proof: 'Pour approuver, confirmez qu’il s’agit bien de vous.',
    refuse: 'Refuser',
    approved: 'Approuvé',
    approvedText: 'L’application peut continuer. Vous pouvez fermer cette page.',
    refused: 'Refusé',
    refusedText: 'L’application n’obtient rien.',
    gone: 'Cette demande n’est plus en attente',
    goneText: 'Elle a expiré, a été retirée ou a déjà été traitée.',
    noFactor:
      'Pour approuver des demandes, ajoutez d’abord une clé d’accès ou configurez la validation en deux étapes.',
    setUp: 'Configurer',
  },
}
