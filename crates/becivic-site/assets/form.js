// The onboarding form in the browser. Nothing is asked of anybody, and nothing leaves before the button is pressed.
//
// 1. Lists of communes and countries are filled, and so is what is known already.
// 2. The languages of the administration follow the commune, else the region.
// 3. Rows are added and removed within their bounds, or come later.
// 4. On sending, every answer is read and checked. What is wrong is listed above, with links, and said beside each answer.
// 5. What is right is handed over as one text: to the conversation where the host takes it, otherwise to be copied.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("data").textContent);
  const words = data.words;
  const fill = (sentence, ...places) => places.reduce((text, place) => text.replace("{}", () => place), sentence);
  const say = (sentence) => { $("status").textContent = sentence; };
  const fields = data.fields.map((field, at) => ({ ...field, at, id: `f-${at}`, box: $(`q-${at}`) }));
  const named = (name) => fields.find((field) => field.name === name);

  // 1. Names of places: spelled without accents and capitals they are the same.
  const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[\s’'-]+/g, " ").trim();
  const count = new Map();
  for (const [, name] of data.communes) count.set(folded(name), (count.get(folded(name)) ?? 0) + 1);
  const communes = data.communes.map(([code, name, region, also]) => ({ code, region, names: [name, ...also], shown: count.get(folded(name)) > 1 ? `${name} (${code})` : name }));
  const regionNames = new Intl.DisplayNames([data.locale], { type: "region" });
  const countries = data.countries.map((code) => ({ code, shown: regionNames.of(code.toUpperCase()) ?? code }));
  countries.sort((a, b) => a.shown.localeCompare(b.shown, data.locale));
  const offer = (list, places) => $(list).replaceChildren(...places.map(({ shown }) => Object.assign(document.createElement("option"), { value: shown })));
  const found = (places, text) => {
    const typed = folded(text);
    const same = places.filter((place) => folded(place.shown) === typed || place.code === typed);
    if (same.length === 1) return same[0];
    const alike = places.filter((place) => place.names?.some((name) => folded(name) === typed));
    return alike.length === 1 ? alike[0] : undefined;
  };
  const shown = (places, code) => places.find((place) => place.code === code)?.shown ?? code;

  // Radio buttons of a name.
  const radios = (name) => [...document.querySelectorAll(`input[type="radio"][name="${name}"]`)];
  const chosen = (name) => radios(name).find((it) => it.checked && !it.disabled)?.value;
  const choose = (name, value) => { for (const it of radios(name)) it.checked = it.value === String(value); };

  // 2. What follows from the place.
  const region = () => named("region") && chosen(named("region").id);
  const here = () => communes.filter((place) => !region() || place.region === region());
  const commune = () => {
    const field = named("commune_nis5");
    return field && !field.box.hidden && field.type === "commune" ? found(here(), $(field.id).value) : undefined;
  };
  let offered = "";
  let listed;
  const follow = () => {
    const abroad = region() === "not-in-belgium-yet";
    const own = named("commune_nis5");
    if (own) own.box.hidden = abroad;
    // The list is not touched while somebody types into it.
    if (listed !== `${region()}`) offer("communes-here", abroad ? [] : here());
    listed = `${region()}`;
    const language = named("administration_language");
    if (!language) return;
    const { by_commune, by_region, hint_not_in_belgium_yet } = data.languages;
    const place = commune();
    const allowed = (place && by_commune[place.code]) ?? by_region[place ? place.region : region()];
    for (const it of radios(language.id)) {
      const fits = !allowed || allowed.includes(it.value);
      it.disabled = !fits;
      it.closest("label").hidden = !fits;
      if (!fits) it.checked = false;
    }
    $(`h-${language.at}`).textContent = abroad ? hint_not_in_belgium_yet : language.description ?? "";
    const open = radios(language.id).filter((it) => !it.disabled).map((it) => it.nextElementSibling.textContent).join(", ");
    if (offered && open !== offered) say(fill(words.languages_now, open));
    offered = open;
    clearable();
  };
  const clearable = () => {
    for (const { box } of fields) {
      const button = box.querySelector(":scope > .clear");
      if (button) button.hidden = !box.querySelector("input:checked") && !box.querySelector(".part input")?.value;
    }
  };

  // 3. Rows.
  const rowsOf = (field) => [...field.box.querySelectorAll(".row")];
  const way = (field) => chosen(`${field.id}-way`) ?? "form";
  const renumber = (field) => {
    const rows = rowsOf(field);
    rows.forEach((row, at) => {
      row.querySelector("legend").textContent = fill(words.row, at + 1);
      row.querySelector(".remove").textContent = fill(words.remove_row, at + 1);
    });
    field.box.querySelector(".none").hidden = rows.length > 0;
    field.box.querySelector(".add").disabled = rows.length >= field.bounds.max_rows;
  };
  const addRow = (field) => {
    field.made = (field.made ?? 0) + 1;
    const row = field.box.querySelector("template").content.firstElementChild.cloneNode(true);
    for (const it of row.querySelectorAll("*")) {
      for (const name of ["id", "for", "aria-describedby"]) {
        if (it.hasAttribute(name)) it.setAttribute(name, it.getAttribute(name).replace("-ROW-", `-${field.made}-`));
      }
    }
    row.querySelector(".remove").addEventListener("click", () => {
      const next = row.nextElementSibling ?? row.previousElementSibling;
      row.remove();
      renumber(field);
      (next?.querySelector("input, select") ?? field.box.querySelector(".add")).focus();
      say(words.row_removed);
    });
    field.box.querySelector(".rows").append(row);
    renumber(field);
    return row;
  };
  const showWay = (field) => {
    const typed = way(field) === "form";
    field.box.querySelector(".rows").hidden = !typed;
    field.box.querySelector(".add").hidden = !typed;
    for (const it of field.box.querySelectorAll(".later")) it.hidden = it.dataset.way !== way(field);
  };
  const cellsOf = (row, field) => field.columns.map((column) => {
    const box = row.querySelector(`[data-column="${column.id}"]`);
    return { ...column, column: column.id, box, id: box.querySelector("input, select").id };
  });

  // Puts what is known into a question or a cell.
  const put = (it, value) => {
    const input = $(it.id);
    switch (it.type) {
      case "row_list":
        for (const given of value) {
          for (const cell of cellsOf(addRow(it), it)) if (given[cell.column] !== undefined) put(cell, given[cell.column]);
        }
        break;
      case "commune": input.value = shown(communes, value); break;
      case "country_code": input.value = shown(countries, value); break;
      case "month_year_or_current":
        if (value === "current") $(`${it.id}-current`).checked = true;
        else input.value = value;
        break;
      case "document_artefact": choose(it.id, true); $(`${it.id}-month`).value = value.obtained_in ?? ""; break;
      default:
        if (input) input.value = String(value);
        else choose(it.id, value);
    }
  };

  // 4. Reading: a value, nothing, or what is wrong.
  class Wrong extends Error {}
  const month = (text) => {
    const [, a, b] = /^\s*(\d{1,4})\s*[-/.\s]\s*(\d{1,4})\s*$/.exec(text) ?? [];
    const [year, number] = a?.length === 4 ? [a, b] : [b, a];
    const fits = year?.length === 4 && Number(year) >= 1900 && Number(year) < 2200 && number.length < 3 && Number(number) >= 1 && Number(number) <= 12;
    if (!fits) throw new Wrong(words.month);
    return `${year}-${number.padStart(2, "0")}`;
  };
  const number = (text, range) => {
    const value = Number(text.replace(",", "."));
    if (!/^[-+]?[0-9]+([.,][0-9]+)?$/.test(text) || !Number.isFinite(value)) throw new Wrong(words.number);
    if (range?.whole && !Number.isInteger(value)) throw new Wrong(words.whole);
    if (value < (range?.minimum ?? value) || value > (range?.maximum ?? value)) throw new Wrong(fill(words.range, range.minimum, range.maximum));
    return value;
  };
  const line = (text, it) => {
    const most = it.max_length ?? 500;
    if ([...text].length > most) throw new Wrong(fill(words.long, most));
    if (it.pattern && !new RegExp(it.pattern, "u").test(text)) throw new Wrong(words.letters);
    return text;
  };
  const place = (places, text, wrong) => {
    const it = found(places, text);
    if (!it) throw new Wrong(wrong);
    return it.code;
  };
  const read = (it) => {
    const input = $(it.id);
    const text = input?.value?.trim();
    const flag = { true: true, false: false };
    switch (it.type) {
      case "single_choice": return (input ? text : chosen(it.id)) || undefined;
      case "yes_no": case "bool": return flag[input ? text : chosen(it.id)];
      case "document_artefact": {
        const since = $(`${it.id}-month`).value.trim();
        if (chosen(it.id) !== "true") return undefined;
        return since ? { name: it.name, obtained_in: month(since) } : { name: it.name };
      }
      case "date":
        if (input.validity.badInput) throw new Wrong(words.day);
        if (text && !/^\d{4}-\d{2}-\d{2}$/.test(text)) throw new Wrong(words.day);
        return text || undefined;
      case "month_year_or_current":
        if ($(`${it.id}-current`).checked) return "current";
        return text ? month(text) : undefined;
      case "month_year": return text ? month(text) : undefined;
      case "number": return text ? number(text, it.range) : undefined;
      case "country_code": return text ? place(countries, text, words.country) : undefined;
      case "commune":
        if (!text) return undefined;
        if (it.name === "commune_nis5" && region() && !found(here(), text) && found(communes, text)) throw new Wrong(words.region);
        return place(it.name === "commune_nis5" ? here() : communes, text, words.commune);
      default: return text ? line(text, it) : undefined;
    }
  };

  let errors = [];
  const mark = (it, error, sentence, label) => {
    error.textContent = sentence;
    error.hidden = false;
    const input = $(it.id) ?? it.box.querySelector("input:not(:disabled), button");
    if ($(it.id)) input.setAttribute("aria-invalid", "true");
    errors.push({ input, sentence, label });
  };
  const checked = (it, error, label, required) => {
    try {
      const value = read(it);
      if (value === undefined && required) throw new Wrong(words.required);
      return value;
    } catch (wrong) {
      if (!(wrong instanceof Wrong)) throw wrong;
      mark(it, error, wrong.message, label);
      return undefined;
    }
  };
  const readRows = (field) => {
    const before = errors.length;
    const rows = [];
    rowsOf(field).forEach((row, at) => {
      const cells = cellsOf(row, field);
      const isEmpty = cells.every(({ id, type }) => !$(id).value.trim() && !(type === "month_year_or_current" && $(`${id}-current`).checked));
      if (isEmpty) return;
      const made = {};
      field.columns.forEach((column, index) => {
        const cell = cells[index];
        const label = `${field.label}, ${fill(words.row, at + 1)}, ${column.label}`;
        const value = checked({ ...cell, name: "" }, $(`${cell.id}-error`), label, column.required);
        if (value !== undefined) made[column.id] = value;
      });
      rows.push(made);
    });
    if (errors.length === before && rows.length < field.bounds.min_rows) mark(field, $(`e-${field.at}`), fill(words.rows, field.bounds.min_rows), field.label);
    return rows.length > 0 ? rows : undefined;
  };
  const collected = () => {
    errors = [];
    for (const it of document.querySelectorAll("#form .error")) it.hidden = true;
    for (const it of document.querySelectorAll('#form [aria-invalid]')) it.removeAttribute("aria-invalid");
    const now = new Date().toISOString();
    const payload = { profile: { profile_schema_version: "1", last_updated_at: now }, answers: {}, pending: {} };
    const cleared = [];
    for (const field of fields) {
      if (field.type === "row_list" && way(field) !== "form") {
        payload.pending[field.name] = field.capture_modes.find((it) => it.mode === way(field)).yields;
        continue;
      }
      const value = field.box.hidden ? undefined : field.type === "row_list" ? readRows(field) : checked(field, $(`e-${field.at}`), field.label, field.required);
      if (value === undefined) {
        if (field.known && !field.required) cleared.push(field.name);
        continue;
      }
      if (field.keep === "session") payload.answers[field.name] = value;
      else field.profile_path.reduce((inner, key, at, path) => (inner[key] = at === path.length - 1 ? value : inner[key] ?? {}), payload.profile);
    }
    const agreed = $("consent").checked;
    payload.profile.consent = { alpha_bundle: agreed, version: data.consent.version };
    if (agreed) payload.profile.consent.signed_at = now.slice(0, 10);
    if (cleared.length > 0) payload.cleared = cleared;
    return payload;
  };
  const listErrors = () => {
    const item = ({ input, sentence, label }) => {
      const link = Object.assign(document.createElement("a"), { href: `#${input.id}`, textContent: `${label}: ${sentence}` });
      link.addEventListener("click", (event) => { event.preventDefault(); input.focus(); });
      const entry = document.createElement("li");
      entry.append(link);
      return entry;
    };
    $("errors").querySelector("ul").replaceChildren(...errors.map(item));
    $("errors").hidden = errors.length === 0;
    if (errors.length > 0) $("errors").focus();
  };

  // 5. Handing over: whether the host took it.
  const handOver = async (payload, text) => {
    const prompt = `${words.prompt}\n\n\`\`\`json\n${text}\n\`\`\``;
    try {
      if (data.app === "cowork" && typeof window.sendPrompt === "function") {
        await window.sendPrompt(prompt);
        return true;
      }
      if (data.app === "chatgpt" && typeof window.openai?.sendFollowUpMessage === "function") {
        await window.openai.sendFollowUpMessage({ prompt });
        return true;
      }
    } catch { /* then it is copied */ }
    const host = window.parent !== window ? window.parent : window.opener;
    if (data.app === "generic") host?.postMessage({ type: "becivic-onboarding-form", payload }, "*");
    return false;
  };
  $("form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const payload = collected();
    listErrors();
    $("done").hidden = true;
    if (errors.length > 0) return;
    const text = JSON.stringify(payload, null, 2);
    const taken = await handOver(payload, text);
    $("payload").value = text;
    $("done-how").textContent = taken ? words.handed : words.to_copy;
    $("done").hidden = false;
    $("done-title").focus();
  });
  $("copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText($("payload").value);
    } catch {
      $("payload").select();
      document.execCommand("copy");
    }
    say(words.copied);
  });
  $("download").addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([$("payload").value], { type: "application/json" }));
    Object.assign(document.createElement("a"), { href: address, download: "be-civic-form.json" }).click();
    URL.revokeObjectURL(address);
  });

  // Everything is put together.
  offer("communes", communes);
  offer("countries", countries);
  for (const field of fields) {
    if (field.type === "row_list") {
      choose(`${field.id}-way`, "form");
      field.box.querySelector(".add").addEventListener("click", () => {
        addRow(field).querySelector("input, select").focus();
        say(fill(words.row_added, rowsOf(field).length));
      });
      for (const it of radios(`${field.id}-way`)) it.addEventListener("change", () => showWay(field));
    }
    if (field.value !== undefined) put(field, field.value);
    if (field.type === "row_list") {
      while (rowsOf(field).length < field.bounds.min_rows) addRow(field);
      renumber(field);
      showWay(field);
    }
    field.box.querySelector(":scope > .clear")?.addEventListener("click", ({ currentTarget }) => {
      for (const it of field.box.querySelectorAll("input")) {
        it.checked = false;
        if (it.type === "text") it.value = "";
      }
      currentTarget.hidden = true;
      field.box.querySelector("input:not(:disabled)").focus();
    });
  }
  $("consent").checked = data.consent.given;
  $("form").addEventListener("input", follow);
  $("form").addEventListener("change", follow);
  follow();
  $("send").disabled = false;
})();
