// The page of `tutti profile --html`: one file that needs no network. The tables are those of the
// text; a script draws the timeline and the flame view from data in the page.
#include <algorithm>
#include <cstdio>

#include "core/escape.hpp"
#include "core/timeline/event_text.hpp"
#include "tools/trace_report.hpp"

namespace tutti::tools {
namespace {

// More spans make a page slow: only the longest are shown, with a note.
constexpr size_t most_spans = 20'000;

// Quotes JSON inside of a script: "</script>" in a name must not end it.
std::string quoted(const std::string& text) {
  std::string result;
  for (const char letter : timeline::quoted(text))
    if (letter == '<')
      result += "\\u003c";
    else
      result += letter;
  return result;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

class Names {
 public:
  std::string number_of(const std::string& name) {
    const auto [found, is_new] = numbers_.try_emplace(name, numbers_.size());
    if (is_new) list_ += (list_.empty() ? "" : ",") + quoted(name);
    return std::to_string(found->second);
  }
  std::string list() const { return "[" + list_ + "]"; }

 private:
  std::map<std::string, size_t> numbers_;
  std::string list_;
};

std::string data_of(const Trace& trace) {
  std::vector<const TraceSpan*> spans;
  for (const TraceSpan& span : trace.spans) spans.push_back(&span);
  if (spans.size() > most_spans) {
    std::ranges::nth_element(spans, spans.begin() + most_spans,
                             [](const auto* a, const auto* b) { return a->took > b->took; });
    spans.resize(most_spans);
  }
  double first = spans.empty() ? 0 : spans[0]->begin;
  for (const TraceSpan* span : spans) first = std::min(first, span->begin);
  Names names, categories, notes;
  std::string rows, threads;
  for (const TraceSpan* span : spans) {
    std::string note = span->shape;
    for (const std::string& line : span->lines) note += " " + line;
    if (!rows.empty()) rows += ",";
    rows += "[" + std::to_string(span->thread) + "," + number(span->begin - first) + "," +
            number(span->took) + "," + std::to_string(span->level) + "," +
            categories.number_of(span->category) + "," + names.number_of(span->name) + "," +
            notes.number_of(note) + "]";
  }
  for (const auto& [thread, name] : trace.threads)
    threads += (threads.empty() ? "" : ",") + quoted(std::to_string(thread)) + ":" + quoted(name);
  return "{\"threads\":{" + threads + "},\"names\":" + names.list() +
         ",\"categories\":" + categories.list() + ",\"notes\":" + notes.list() + ",\"spans\":[" +
         rows + "]}";
}

// Nested boxes, as wide as their share of the time. Thin ones are omitted.
void add_flame(const FlameNode& node, double whole, int level, std::string& html) {
  constexpr double least_part = 0.001;
  constexpr int most_levels = 40;
  if (whole <= 0 || level > most_levels) return;
  std::vector<const FlameNode*> inside;
  for (const auto& [name, child] : node.inside) inside.push_back(&child);
  std::ranges::sort(inside,
                    [](const auto* a, const auto* b) { return a->microseconds > b->microseconds; });
  for (const FlameNode* child : inside) {
    if (child->microseconds / whole < least_part) continue;
    const std::string title =
        markup(child->name) + ": " + number(child->microseconds * 1e-3) + " ms";
    html += "<div class=\"f\" style=\"width:" +
            number(100 * child->microseconds / std::max(node.microseconds, 1e-9)) + "%\" title=\"" +
            title + "\"><span>" + markup(child->name) + "</span><div class=\"r\">";
    add_flame(*child, whole, level + 1, html);
    html += "</div></div>";
  }
}

constexpr const char* style = R"(<style>
body{font:14px sans-serif;margin:1.5em;color:#222}
canvas{width:100%;height:360px;border:1px solid #ccc}
pre{background:#f6f6f6;padding:.8em;overflow-x:auto}
.r{display:flex;align-items:flex-start;width:100%}
.f{overflow:hidden;white-space:nowrap;box-sizing:border-box}
.f>span{display:block;background:#f4b26b;border:1px solid #fff;padding:1px 3px;font-size:12px;overflow:hidden;text-overflow:ellipsis}
#tip{min-height:1.4em;font-family:monospace}
</style>
)";

// In a block, because at the top level names such as `top` belong to the browser.
constexpr const char* script = R"(<script>{
const data=JSON.parse(document.getElementById('data').textContent);
const canvas=document.getElementById('timeline'),tip=document.getElementById('tip');
const colours=['#4e79a7','#f28e2b','#59a14f','#e15759','#76b7b2','#edc948','#b07aa1','#9c755f'];
const threads=[...new Set(data.spans.map(s=>s[0]))];
const depth={};for(const s of data.spans)depth[s[0]]=Math.max(depth[s[0]]||0,s[3]+1);
const top={};let rows=0;for(const t of threads){top[t]=rows;rows+=depth[t]+1;}
let last=1;for(const s of data.spans)last=Math.max(last,s[1]+s[2]);
let from=0,to=last,boxes=[];
function draw(){
  const w=canvas.width=canvas.clientWidth,h=canvas.height=Math.max(120,Math.min(900,rows*16));
  canvas.style.height=h+'px';
  const c=canvas.getContext('2d'),row=h/Math.max(rows,1),scale=w/(to-from);boxes=[];
  c.font='11px sans-serif';
  for(const s of data.spans){
    if(s[1]+s[2]<from||s[1]>to)continue;
    const x=(s[1]-from)*scale,y=(top[s[0]]+s[3]+1)*row,b=Math.max(s[2]*scale,.5);
    c.fillStyle=colours[s[4]%colours.length];c.fillRect(x,y,b,row-1);boxes.push([x,y,b,row,s]);
    if(b>40){c.fillStyle='#fff';c.save();c.beginPath();c.rect(x,y,b,row);c.clip();
      c.fillText(data.names[s[5]],Math.max(x,0)+2,y+row-4);c.restore();}
  }
  c.fillStyle='#222';
  for(const t of threads)c.fillText(data.threads[t]||t,2,(top[t]+1)*row-3);
}
canvas.addEventListener('wheel',e=>{e.preventDefault();
  const at=from+(to-from)*e.offsetX/canvas.clientWidth,f=e.deltaY<0?.8:1.25;
  from=Math.max(0,at-(at-from)*f);to=Math.min(last,at+(to-at)*f);draw();});
let drag=null;
canvas.addEventListener('mousedown',e=>{drag=[e.offsetX,from,to];});
window.addEventListener('mouseup',()=>{drag=null;});
canvas.addEventListener('mousemove',e=>{
  if(drag){let d=(drag[0]-e.offsetX)/canvas.clientWidth*(drag[2]-drag[1]);
    d=Math.max(-drag[1],Math.min(last-drag[2],d));from=drag[1]+d;to=drag[2]+d;draw();return;}
  let hit=null;for(const b of boxes)if(e.offsetX>=b[0]&&e.offsetX<=b[0]+b[2]&&e.offsetY>=b[1]&&e.offsetY<=b[1]+b[3])hit=b[4];
  tip.textContent=hit?data.categories[hit[4]]+' | '+data.names[hit[5]]+' | '+(hit[2]/1000).toFixed(3)+' ms '+data.notes[hit[6]]:'';
});
canvas.addEventListener('dblclick',()=>{from=0;to=last;draw();});
window.addEventListener('resize',draw);draw();
}</script>
)";

}  // namespace

std::string page_of(const Trace& trace, const TraceReport& report,
                    const std::optional<Peaks>& peaks, const std::string& title) {
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" +
                     markup(title) + "</title>\n" + style + "</head><body>\n<h1>" + markup(title) +
                     "</h1>\n<h2>Timeline</h2>\n<p>Wheel: zoom. Drag: move. Double click: all.";
  if (trace.spans.size() > most_spans)
    html += " The longest " + std::to_string(most_spans) + " of " +
            std::to_string(trace.spans.size()) + " spans are shown.";
  html +=
      "</p>\n<canvas id=\"timeline\"></canvas>\n<div id=\"tip\"></div>\n<h2>Tables</h2>\n<pre>" +
      markup(text_of(report, peaks)) + "</pre>\n<h2>Flame view of the main thread</h2>\n" +
      "<div class=\"r\">";
  add_flame(report.flame, report.flame.microseconds, 0, html);
  html += "</div>\n<script type=\"application/json\" id=\"data\">" + data_of(trace) +
          "</script>\n" + script + "</body></html>\n";
  return html;
}

}  // namespace tutti::tools
