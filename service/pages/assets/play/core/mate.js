// What a player has to do with the others at the table: friends are invited, the crew plays again, and one shows others
// what one means.

import { Showing } from "./showing.js";
import { show } from "./signals.js";

export class Mate extends Showing {
  /** @param {ConstructorParameters<typeof Showing>[0]} given */
  constructor(given) {
    super(given);
    /** @type {{ says: string | null } | null} while the player chooses what to point at */
    this.pointing = null;
    /** @type {Record<number, { id: string, link: string }>} invitations by seat, as this page has made them */
    this.invited = {};
  }

  // What players show each other

  /** Whether anybody else is at the table, to be shown something. */
  get hasCompany() {
    const { session } = this;
    return Boolean(session.token && session.state.status === "playing" && session.state.players.length > 1);
  }

  /** The seat that shows something. */
  get ownSeat() {
    const { decision, you } = this.session.state;
    return decision && you.seats.includes(decision.seat) ? decision.seat : you.seats[0];
  }

  get shownByOthers() {
    const { version, you } = this.session.state;
    return this.signals.shown(version).filter(({ seat }) => !you.seats.includes(seat));
  }

  /** What is tapped next is pointed at, with a word or without. @param {{ says: string | null } | null} pointing */
  point(pointing) {
    this.pointing = pointing;
    this.redraw();
  }

  /** @param {import("./signals.js").Target} target */
  pointAt(target) {
    return this.showOthers({ points_at: target });
  }

  /** @param {import("./turn.js").Plan} plan */
  propose({ moves, version }) {
    return this.showOthers({ moves, version });
  }

  /** Shows the others something, with the word that is chosen. @param {object} shown */
  async showOthers(shown) {
    const says = this.pointing?.says;
    this.pointing = null;
    try {
      await show(this.session, this.ownSeat, says ? { ...shown, says } : shown);
      this.notice = "shown";
    } catch (error) {
      this.notice = "";
      this.problem = /** @type {Error} */ (error).message;
    }
    this.redraw();
  }

  get host() {
    return this.store.seat(this.game)?.host ?? null;
  }

  /** Makes a link that lets a friend have a seat, also one that a bot plays. @param {number} seat @param {string} origin */
  async invite(seat, origin) {
    const { token, invitation } = await this.api.send(`${this.session.path}/invitations`, { seat }, this.host);
    const secret = new URLSearchParams({ g: this.game, i: token });
    this.invited[seat] = { id: invitation.id, link: `${origin}/join#${secret}` };
  }

  /** @param {number} seat */
  async revoke(seat) {
    await this.api.ask("DELETE", `${this.session.path}/invitations/${this.invited[seat].id}`, { token: this.host });
    delete this.invited[seat];
  }

  /** Plays again with the same crew; returns the new game's id. */
  async rematch() {
    const { game } = await this.api.send(`${this.session.path}/rematch`, {}, this.session.token);
    this.store.keep(game.id, { token: this.session.token ?? "", host: this.host ?? undefined });
    return game.id;
  }
}
