/** A landing: what it added to a half, and the digest of that half's schema on SQLite from then on. */
export interface Landing {
  readonly core?: Added;
  readonly mirror?: Added;
}

export interface Added {
  readonly adds: readonly string[];
  readonly schema: string;
}

/**
 * Every set of migrations that ever stood together, in the order in which they landed, which is not that of their
 * numbers. Whoever lands a migration adds a line at the end; none is ever changed, since databases that were made by it
 * are out there. Those before `0001_baseline` are of the bridge.
 */
export const landed: readonly Landing[] = [
  { core: { adds: ['0001_bookings'], schema: 'f38b30491240' } },
  { mirror: { adds: ['0001_mirror'], schema: 'f98c8a4c8bb7' } },
  {
    core: { adds: ['0002_portfolio'], schema: '1e5a78f6e303' },
    mirror: { adds: ['0002_portfolio'], schema: '339b4ed12601' },
  },
  { core: { adds: ['0007_people'], schema: 'a5efde258a67' } },
  {
    core: { adds: ['0005_conversations'], schema: '28d4be2e094b' },
    mirror: { adds: ['0005_conversations'], schema: '0e2629a611d7' },
  },
  {
    core: { adds: ['0003_listings'], schema: 'ccdcf373a4f4' },
    mirror: { adds: ['0003_listings'], schema: '0b685e67ed9e' },
  },
  { core: { adds: ['0004_channel_bookings'], schema: '6f0b80cef502' } },
  { core: { adds: ['0006_work'], schema: '1af6880d8442' }, mirror: { adds: ['0006_work'], schema: '051e3b602c43' } },
  { core: { adds: ['0008_sandbox_requests'], schema: 'd2d2b53807d7' } },
  { core: { adds: ['0012_sign_in_tries'], schema: 'af341c77e868' } },
  { mirror: { adds: ['0007_connection_facts'], schema: 'c88e4b2d3596' } },
  { mirror: { adds: ['0008_sweeps'], schema: '7bbdf329ae44' } },
  { mirror: { adds: ['0010_reports'], schema: '1ee3b08e04c8' } },
  { mirror: { adds: ['0009_history'], schema: '420f08b95a4e' } },
  { core: { adds: ['0011_unlisted_nights'], schema: '0f7b16021266' } },
  { core: { adds: ['0009_lists_of_any_length'], schema: 'ebda1de78a99' } },
  { core: { adds: ['0013_held_plans'], schema: 'a3a34a3d77b1' } },
  { mirror: { adds: ['0022_endpoints'], schema: '55c20a8f055f' } },
  { core: { adds: ['0017_confirmation_uses'], schema: '8900cb253941' } },
  { core: { adds: ['0014_oauth'], schema: '11744f65e5df' } },
  { mirror: { adds: ['0021_upstream_tokens'], schema: '15e2d6788808' } },
  { mirror: { adds: ['0011_lost_events', '0012_measures'], schema: '0c52e69220c5' } },
  { mirror: { adds: ['0017_exports', '0020_payouts'], schema: '9144f83e03ab' } },
  { mirror: { adds: ['0014_automations'], schema: '47a13b40fbca' } },
  { core: { adds: ['0018_oauth_retention'], schema: 'a9a19b689a41' } },
  { mirror: { adds: ['0013_retention'], schema: '93ceae24f302' } },
  { mirror: { adds: ['0016_ai_drafts'], schema: 'a5066db2d11c' } },
  { mirror: { adds: ['0019_books', '0023_book_reports'], schema: '6560639fbc29' } },
  { mirror: { adds: ['0024_export_jobs'], schema: '41edcf86808d' } },
  { core: { adds: ['0015_doubted_plans'], schema: '6ad82aeeb0f6' } },
  { core: { adds: ['0016_doubted_plans_found'], schema: '1c87a9218817' } },
  { core: { adds: ['0019_webhook_creators'], schema: 'd7d2f20dd17e' } },
  { mirror: { adds: ['0025_complete_reads'], schema: 'a4e7f85fcf58' } },
  { mirror: { adds: ['0026_room_taxes'], schema: 'a4e7f85fcf58' } },
  { mirror: { adds: ['0027_sync_views'], schema: 'a4e7f85fcf58' } },
  { mirror: { adds: ['0028_export_settings'], schema: '4dcaf2b5abfe' } },
  { mirror: { adds: ['0029_years'], schema: '04ac598bf8b3' } },
  { core: { adds: ['0020_token_terms'], schema: 'f6753dfd6b60' } },
  { core: { adds: ['0021_search_keys'], schema: 'e26cd0140638' } },
  { mirror: { adds: ['0030_gross_balances'], schema: 'e75789aa696d' } },
  { core: { adds: ['0022_idempotency_keys'], schema: 'b0962c287486' } },
  { core: { adds: ['0023_audit_values'], schema: 'd2044e386876' } },
  { core: { adds: ['0024_awaited_incomes'], schema: 'aa869dee4ae8' } },
  { core: { adds: ['0025_sealings'], schema: '7805f3a2f8ad' } },
  { mirror: { adds: ['0031_sealings'], schema: '867560715df4' } },
  { mirror: { adds: ['0032_unknown_values'], schema: 'b9aa493186a4' } },
  { mirror: { adds: ['0034_refused_deliveries'], schema: '1113e0bee1a3' } },
  { mirror: { adds: ['0036_send_marks'], schema: 'fab131b05da0' } },
  { mirror: { adds: ['0037_review_keys'], schema: 'cbac9b76005a' } },
  { mirror: { adds: ['0038_words'], schema: '1537bdd7467f' } },
  {
    core: { adds: ['0026_channel_reservations'], schema: '3d31b6d02b7e' },
    mirror: { adds: ['0039_last_words'], schema: '8a374973eb75' },
  },
  {
    core: { adds: ['0001_baseline'], schema: '8e6807338276' },
    mirror: { adds: ['0001_baseline'], schema: '487c5cc9ea62' },
  },
  { core: { adds: ['0002_undelivered'], schema: 'ce31fc94224a' } },
  { mirror: { adds: ['0002_kept_books'], schema: '3f2f5933fabf' } },
  { core: { adds: ['0003_reviews_by_id'], schema: 'dfcd1912f7bf' } },
  { core: { adds: ['0004_dense_events'], schema: 'a6187e5ddcb2' } },
  { mirror: { adds: ['0003_waiting_stays'], schema: 'c88f4b7d6671' } },
  { core: { adds: ['0005_roles'], schema: '738259189079' } },
  { core: { adds: ['0006_block_reasons'], schema: 'b96d8d0e8e7a' } },
  { core: { adds: ['0007_deposit_events'], schema: 'c59011cc7ce1' } },
  { core: { adds: ['0008_staff_links'], schema: 'ce38f208a6bd' } },
  { core: { adds: ['0009_second_factors'], schema: '01c4f85772b3' } },
  { core: { adds: ['0010_property_times'], schema: '8282560954f7' } },
  { mirror: { adds: ['0004_conversation_states'], schema: 'cc6bf3390161' } },
  { mirror: { adds: ['0005_search_words'], schema: 'd1436fb4362a' } },
  { mirror: { adds: ['0006_waiting_guests'], schema: '2549fc02655d' } },
  { core: { adds: ['0011_brands'], schema: '016a2424358a' } },
  { core: { adds: ['0012_mirrored_properties'], schema: '6dc39f3d6536' } },
  { mirror: { adds: ['0007_ledger_uses'], schema: '86bffdb241bc' } },
  { mirror: { adds: ['0008_reports_of_days'], schema: '5e57fa62f3c1' } },
  { mirror: { adds: ['0009_occupancy_of_months'], schema: 'd7ace811d321' } },
  { mirror: { adds: ['0010_tax_of_months'], schema: '035d55baa22c' } },
  { core: { adds: ['0013_feeds'], schema: 'e9fd387848e3' } },
  { mirror: { adds: ['0011_notices'], schema: '423f43a9cae3' } },
  { mirror: { adds: ['0012_comparisons'], schema: '5ffb1930e886' } },
  { mirror: { adds: ['0013_notice_reports'], schema: '0e8f7bb95033' } },
  { core: { adds: ['0014_mail'], schema: 'a982dfdf9770' } },
  { core: { adds: ['0015_rate_plans'], schema: '117e38172428' } },
  { core: { adds: ['0016_direct_bookings'], schema: 'de8757ac25df' } },
  { core: { adds: ['0017_guest_pages'], schema: '8d8e403910e8' } },
  { core: { adds: ['0018_usual_fetches'], schema: '348323fbdfae' } },
  { core: { adds: ['0019_feed_overlaps'], schema: 'ae14f2872142' } },
  { core: { adds: ['0020_guests_cancel'], schema: '0d43dba88076' } },
  { core: { adds: ['0021_mail_claims'], schema: '01891bd23064' } },
  { core: { adds: ['0022_account_connections'], schema: 'e711a71f592a' } },
  { mirror: { adds: ['0014_broker_feeds'], schema: 'a55c02242542' } },
];
